/**
 * The interface of boards: what they are told, and what they tell.
 *
 * A board draws one view and lets a player choose among the actions it was given. It knows no rules: it is told what is legal,
 * whose turn it is and what happened. A game's own board is a folder of the game's id with a `board.ts` that exports `board`.
 */
import type { Component } from "svelte";
import type { Effect, OptionSpec, Reach } from "@brettwerk/client/v1/games";

/** An action that may be chosen. */
export interface Choice {
  /** Its number among the actions of this moment. */
  readonly key: number;
  /** The places that name it, in the order they would be touched. */
  readonly places: readonly string[];
  readonly notation: string;
  /** The text of a button for it. */
  readonly label: string;
  /** The key of that text, which actions of one kind share. */
  readonly kind?: string;
  /** The action as a message of the game, for boards that know their game's actions. */
  readonly action?: unknown;
  /** Its effects on what stands on the board, as the rules judge them; absent for actions that the rules have not listed. */
  readonly effects?: readonly Effect[];
}

/** An action that somebody advises, and its chance to win (0 to 1). */
export interface Advice {
  readonly places: readonly string[];
  readonly chance: number;
  /** The action as a message of the game, for boards that know their game's actions. */
  readonly action?: unknown;
}

/** Returns the sentence of a key in the player's language, with `args` put in. */
export type Say = (key: string, args?: Readonly<Record<string, string>>) => string;

/** A seat and its player, in words. */
export interface BoardSeat {
  /** The game's name for the seat. */
  readonly name: string;
  /** Its player. */
  readonly who: string;
  /** Its player's name in sentences, which no other has; absent where nobody plays it. */
  readonly called?: string;
  readonly colour: string;
  readonly computer: boolean;
  /** Whether it is the player's. */
  readonly mine: boolean;
  /** Whether it is to act. */
  readonly acts: boolean;
}

/** The player's settings for boards. */
export interface BoardSettings {
  /** Whether the client carries out what needs no decision. */
  readonly autoplay: boolean;
  /** Whether dice are shown: always, never, or as the table has agreed. */
  readonly roll: "agreed" | "always" | "never";
  /** Whether the board is seen from its other side. */
  readonly flipped: boolean;
}

/** The dialogs of the table over the board: options of one heading, who sits where, the rules, or whether to start again. */
export type Opened =
  | { readonly what: "options"; readonly group: string }
  | { readonly what: "seats" }
  | { readonly what: "rules" }
  | { readonly what: "new" };

/** A board's words about events, for the ear. */
export interface Narration {
  /** The action in words. */
  readonly action: string;
  /** Its result, in words. */
  readonly after: string;
  /** The roll for the player who is next, in words. */
  readonly roll?: string;
  /** Whether something left the board by it. */
  readonly captures: boolean;
  /** Its sound, where that is neither a piece that is set down nor one that falls. */
  readonly heard?: "march" | "battle" | "conquest" | "card" | "shot" | "blast";
  /** Whether dice were rolled for it. */
  readonly rolls?: boolean;
}

/** A step in showing what happened, before the next thing is shown. */
export interface Stage {
  /** The name of what is shown; the board knows its meaning. */
  readonly name: string;
  /** How long, in seconds; Infinity until the player goes on. */
  readonly seconds: number;
  /** Whether it is a place to rest: a pause that was asked for begins here. */
  readonly rests?: boolean;
  /** Whether it is one of many parts, which whoever goes on from one of them passes over. */
  readonly minor?: boolean;
}

/** An action that a player chooses before it is their turn (a premove). */
export interface BeforeTurn {
  /** The fields of what is chosen already, as the board has put them together. */
  readonly chosen: object | undefined;
  /** Chooses an action, in place of the one before: the full name of its message type, its fields, and the action in words. */
  readonly onchoose: (type: string, fields: object, words: string) => void;
}

/** The facts for a board that is asked how long something is to be shown. */
export interface Happened {
  /** The seat that did it; undefined when no seat did. */
  readonly seat: number | undefined;
  /** The events, as messages of the game. */
  readonly events: readonly unknown[];
  /** The view that it made. */
  readonly view: unknown;
  /** The newest view, which may be ahead of what is shown. */
  readonly newest: unknown;
  readonly seats: readonly BoardSeat[];
  /** The events of the plies around it, one list a ply: those that led here, its own last, and those that are still to be shown. */
  readonly around?: () => Around;
  /** Values that this game's board has kept on the device; their reader checks them. */
  readonly kept?: Readonly<Record<string, unknown>>;
}

/** The events before and after something, as far as they are known. */
export interface Around {
  readonly led: readonly (readonly unknown[])[];
  readonly follow: readonly (readonly unknown[])[];
}

/** The props of a game's own board. */
export interface BoardProps<View = unknown> {
  /** The view, as a message of the game. */
  readonly view: View;
  /** The player's possible actions; empty when they may do nothing. */
  readonly choices: readonly Choice[];
  /** The events that made this view, as messages of the game. */
  readonly events: readonly unknown[];
  /**
   * The events of the plies that led here, one list a ply, those of `events` last; as many as are kept for boards. Where that
   * is all of them, those of the start come first.
   */
  readonly recent?: readonly (readonly unknown[])[];
  readonly advice: readonly Advice[];
  /** The stage in which this view is shown; empty when there is nothing more to come. */
  readonly stage?: string;
  /** The seats in order. */
  readonly seats: readonly BoardSeat[];
  readonly settings: BoardSettings;
  /** The options that a table of the game has, with the words of their values, as the server states them. */
  readonly options?: readonly OptionSpec[];
  /** Values that this game's board has kept on the device; their reader checks them. */
  readonly kept: Readonly<Record<string, unknown>>;
  /** Whether the player may do more than `choices` has; `onmore` fetches the rest. */
  readonly more: boolean;
  /** Lets the player choose before it is their turn; absent where that cannot be done now. */
  readonly before?: BeforeTurn | undefined;
  /** Whether an action is on its way, so that no other can be chosen. */
  readonly busy: boolean;
  readonly say: Say;
  /** Plays one of the choices. */
  readonly onchoose: (choice: Choice) => void;
  /** Plays an action that the board has put together: the full name of its message type, and its fields. */
  readonly onbuild: (type: string, fields: object) => void;
  readonly onmore: () => void;
  /** Asks what each piece that is shown could do if its side were to act; absent where nobody can be asked. */
  readonly reaches?: () => Promise<readonly Reach[]>;
  /** How many plies the player may take back at least, without asking anybody; 0 when none. */
  readonly undoable?: number;
  /** Takes that many plies back. */
  readonly onundo?: (plies: number) => void;
  /** Goes on from a stage that waits for the player. */
  readonly ongo?: () => void;
  /** Asks to rest at the next place to rest. */
  readonly onrest?: () => void;
  /** Whether somebody else may be looking: what only the player at the seat may know is not to be shown. */
  readonly covered?: boolean;
  /** Changes options at once, by their keys; absent where that is not for the player alone to say. */
  readonly onoptions?: ((changes: Readonly<Record<string, number>>) => void) | undefined;
  /** Opens what a menu of the board names; absent where there is no table. */
  readonly onopen?: ((opened: Opened) => void) | undefined;
  /** Keeps something on the device, in place of what was kept before. */
  readonly onkeep: (kept: Readonly<Record<string, unknown>>) => void;
}

/** A game's own board. */
export interface Board {
  readonly component: Component<BoardProps>;
  /** Returns whether it can draw games with these options; the plain board draws others. Absent where it draws all. */
  readonly draws?: (options: unknown) => boolean;
  /** Whether the board is wider than it is high. */
  readonly wide?: boolean;
  /** Returns events of the game in words; `view` returns what is seen after them, which takes a while. */
  readonly narrate?: (events: readonly unknown[], say: Say, view?: () => unknown) => Narration;
  /** Returns an action in words, from its notation; empty where that has none. */
  readonly read?: (notation: string, say: Say) => string;
  /** Does the same for an action that may be chosen, where events tell better what has become of one. */
  readonly readChoice?: (notation: string, say: Say) => string;
  /** The keys that the board answers itself, each with the key of the words for what it does. */
  readonly keys?: readonly { readonly key: string; readonly words: string }[];
  /** Returns the number of the turn that a view is in, where the game counts turns of several actions. */
  readonly turn?: (view: unknown) => number;
  /** The key of the words for an action of which no event tells. */
  readonly quiet?: string;
  /** Whether the player does even what needs no decision, since the rules want them to say it (EP-TURN-7). */
  readonly waits?: boolean;
  /** Returns the stages in which something that happened is shown, before the next thing is; none to go on at once. */
  readonly pace?: (happened: Happened) => readonly Stage[];
  /** Whether sentences call seats by who plays them, since the seats' own names are mere letters. */
  readonly callsPlayers?: boolean;
  /** Whether the player can choose an action before it is their turn, in a game of two under a clock. */
  readonly premoves?: boolean;
  /**
   * Whether the board itself leaves out what only the player at the seat may know while it is `covered`: people who share a device
   * hand it over in every game that hides something, and other boards are not shown at all until then.
   */
  readonly covers?: boolean;
  /** Whether the board has a button of its own that takes back what can be taken back, so that another one would say the same. */
  readonly takesBack?: boolean;
  /** Whether a player who is to act ends what is shown of others by touching the board, and has made their first touch with it. */
  readonly endsAnimations?: boolean;
  /** Whether only what computers do takes time, so that people among themselves are offered no pace. */
  readonly pacesComputers?: boolean;
}

const folders = import.meta.glob<{ board: Board }>("./*/board.ts");

/** Returns the board of a game, or undefined when it has none of its own. */
export async function loadBoard(game: string): Promise<Board | undefined> {
  const load = folders[`./${game}/board.ts`];
  return load === undefined ? undefined : (await load()).board;
}
