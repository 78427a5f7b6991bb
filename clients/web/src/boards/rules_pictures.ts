/**
 * The pictures of a rules page: drawn with what the board is drawn with. A game that has them keeps them in its folder as
 * `rules_pictures.ts`; they are fetched with its rules page, so that nobody else pays for them.
 */
import type { Say } from "./board";
import type { Words } from "./tour";

export type Language = keyof Words;

/** A figure that the page has as text. */
export interface Figure {
  readonly text: string;
  /** The words above it; empty for none. */
  readonly title: string;
}

/** Where a picture is drawn, and what its words are said in. */
export interface Where {
  readonly target: Element;
  readonly anchor: Node;
  /** Returns a sentence in the language of the page. */
  readonly read: (sentence: Words) => string;
  /** The language of pictures that are drawn with words of their own: that of the page, or else English. */
  readonly language: Language;
  /** The words of the game. */
  readonly say: Say;
}

export interface Picture {
  /** The number of the figure that it replaces, or the id of the rule that it follows. */
  readonly at: number | string;
  /** Draws it, and returns what is drawn, to be removed with `unmount`. */
  readonly draw: (where: Where) => Record<string, unknown>;
}

/** Returns the pictures of a page with these figures; `presets` are the numbers that the game's options are set to at first. */
export type Pictures = (figures: readonly Figure[], presets: ReadonlyMap<string, number>) => readonly Picture[];

const folders = import.meta.glob<{ pictures: Pictures }>("./*/rules_pictures.ts");

/** Returns the pictures of a game's rules page; undefined when it has none. */
export async function loadPictures(game: string): Promise<Pictures | undefined> {
  const load = folders[`./${game}/rules_pictures.ts`];
  return load === undefined ? undefined : (await load()).pictures;
}
