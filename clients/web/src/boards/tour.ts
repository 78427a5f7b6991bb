/**
 * The first steps in a game: what a newcomer is shown beside the board, one thing after another. A game that has them keeps
 * them in its folder as `tour.ts`; they are fetched with its board, so that nobody else pays for them.
 */

/** A sentence in English and German; other languages have it in their folders, by the English one (docs/languages.md). */
export interface Words {
  readonly en: string;
  readonly de: string;
}

export interface Step {
  /** Its subject: the name of a `tourTarget` of the page or of the game's board. */
  readonly target: string;
  readonly title: Words;
  readonly text: Words;
}

export type Tour = readonly Step[];

const folders = import.meta.glob<{ tour: Tour }>("./*/tour.ts");

/** Returns the first steps in a game; none when it has none. */
export async function loadTour(game: string): Promise<Tour> {
  const load = folders[`./${game}/tour.ts`];
  return load === undefined ? [] : (await load()).tour;
}
