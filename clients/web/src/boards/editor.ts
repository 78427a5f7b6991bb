/** The editor of start positions that a game's folder may have as `Editor.svelte`. It is fetched when somebody edits. */
import type { Component } from "svelte";
import type { Say } from "./board";

/** The props of an editor of start positions. */
export interface EditorProps {
  /** Its beginning: a position or a view of the game; nothing for an empty board. */
  readonly start: unknown;
  readonly kept: Readonly<Record<string, unknown>>;
  readonly say: Say;
  /** Tells what is on the board now: the full name of the game's position message, and its fields. */
  readonly onposition: (type: string, fields: object) => void;
}

const editors = import.meta.glob<{ default: Component<EditorProps> }>("./*/Editor.svelte");

/** Returns whether a game has an editor. */
export function hasEditor(game: string): boolean {
  return `./${game}/Editor.svelte` in editors;
}

/** Returns the editor of a game, or undefined when it has none. */
export async function loadEditor(game: string): Promise<Component<EditorProps> | undefined> {
  return (await editors[`./${game}/Editor.svelte`]?.())?.default;
}
