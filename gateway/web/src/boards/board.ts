/**
 * What a board is told, and what it tells.
 *
 * A board draws one view and lets a player choose among the actions it was given. It knows no rules: what is legal, whose turn
 * it is and what happened are told. A game's own board is a folder of the game's id with a `board.ts` that exports `board`.
 */
import type { Component } from "svelte";

/** An action that may be chosen. */
export interface Choice {
  /** Its number among the actions of this moment. */
  readonly key: number;
  /** The places that name it, in the order they would be touched. */
  readonly places: readonly string[];
  readonly notation: string;
  /** What a button for it says. */
  readonly label: string;
}

/** An action that somebody advises, and its chance to win (0 to 1). */
export interface Advice {
  readonly places: readonly string[];
  readonly chance: number;
}

/** Returns the sentence of a key in the player's language, with `args` put in. */
export type Say = (key: string, args?: Readonly<Record<string, string>>) => string;

/** What the player has set for boards. */
export interface BoardSettings {
  /** Whether the client carries out what needs no decision. */
  readonly autoplay: boolean;
  /** Whether dice are shown: as the table says, always, or never. */
  readonly roll: "table" | "always" | "never";
  /** Whether the board is seen from its other side. */
  readonly flipped: boolean;
}

/** What a board says of events, for the ear. */
export interface Told {
  /** The action in words. */
  readonly action: string;
  /** What came with it (a roll). */
  readonly after: string;
  /** Whether something left the board by it. */
  readonly captures: boolean;
}

/** What a game's own board is told. */
export interface BoardProps<View = unknown> {
  /** The view, as a message of the game. */
  readonly view: View;
  /** What the player may do; empty when he may do nothing. */
  readonly choices: readonly Choice[];
  /** The events that made this view, as messages of the game. */
  readonly events: readonly unknown[];
  readonly advice: readonly Advice[];
  readonly settings: BoardSettings;
  /** Whether an action is on its way, so that no other can be chosen. */
  readonly busy: boolean;
  readonly say: Say;
  /** Plays one of the choices. */
  readonly onchoose: (choice: Choice) => void;
  /** Plays an action that the board has put together: the full name of its message type, and its fields. */
  readonly onbuild: (type: string, fields: object) => void;
}

/** A game's own board. */
export interface Board {
  readonly component: Component<BoardProps>;
  /** Returns events of the game in words. */
  readonly tell?: (events: readonly unknown[], say: Say) => Told;
}

const folders = import.meta.glob<{ board: Board }>("./*/board.ts");

/** Returns the board of a game, or undefined when it has none of its own. */
export async function loadBoard(game: string): Promise<Board | undefined> {
  const load = folders[`./${game}/board.ts`];
  return load === undefined ? undefined : (await load()).board;
}
