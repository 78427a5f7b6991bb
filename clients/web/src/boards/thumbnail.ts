/** A game's board in small, only to look at: `Thumbnail.svelte` in the game's folder, where it has one. */
import type { Component } from "svelte";

export interface ThumbnailProps {
  /** The view, as a message of the game. */
  readonly view: unknown;
  /** The seats' colours. */
  readonly colours: readonly string[];
}

const boards = import.meta.glob<{ default: Component<ThumbnailProps> }>("./*/Thumbnail.svelte");

/** Whether a game has a board in small. */
export function hasThumbnail(game: string): boolean {
  return `./${game}/Thumbnail.svelte` in boards;
}

/** Returns a game's board in small, or undefined when it has none. Raises an Error when it does not come. */
export async function loadThumbnail(game: string): Promise<Component<ThumbnailProps> | undefined> {
  return (await boards[`./${game}/Thumbnail.svelte`]?.())?.default;
}
