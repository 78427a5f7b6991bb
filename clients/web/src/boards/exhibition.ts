/** A whole game among computers to look at: `exhibition.json` in the game's folder, played and written by `scripts/exhibition.py`. */

interface Exhibition {
  /** The level of every seat's computer. */
  readonly levels: readonly string[];
  /** The type of the views, as in an `Any`. */
  readonly type: string;
  /** The views of a spectator, picture by picture: messages in base64. */
  readonly views: readonly string[];
}

const games = import.meta.glob<Exhibition>("./*/exhibition.json", { import: "default" });

/** Whether there is such a game to look at. */
export function hasExhibition(game: string): boolean {
  return `./${game}/exhibition.json` in games;
}

/** Returns it, or undefined where there is none. Raises an Error when it does not come. */
export async function loadExhibition(game: string): Promise<Exhibition | undefined> {
  return await games[`./${game}/exhibition.json`]?.();
}
