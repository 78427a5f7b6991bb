/** The materials of a game on another page: its words, and how its board is drawn. */
import { loadThumbnail, otherBoardOf, type SmallBoard } from "../../boards/thumbnail";
import { readGame, type Game, type View } from "./answers";

export interface Materials {
  readonly game: Game;
  /** How the board is drawn; undefined before there is one, and for a game whose board nobody has drawn in small. */
  readonly small: SmallBoard | undefined;
  /** Whether the drawing did not come. */
  readonly failed: boolean;
  /** Returns a view of JSON as the drawing of the game takes it. */
  readonly read: (view: View) => View;
}

/** Returns what the materials of a view depend on: they are the same for all views with the same text. */
export function kindOf(game: string, view: View | undefined): string {
  return view === undefined ? "" : JSON.stringify([game, otherBoardOf(game, view) ?? null]);
}

/** Returns what a game is shown with, in a language, or in English where the server does not know that. Raises an Error. */
export async function loadMaterials(game: string, language: string, view: View | undefined): Promise<Materials> {
  const board = view && otherBoardOf(game, view);
  const asked = readGame(game, language, board).catch(() => readGame(game, "en", board));
  let failed = false;
  const drawing = view && loadThumbnail(game, view, async () => (await asked).board).catch(() => void (failed = true));
  const [found, small, read] = await Promise.all([asked, drawing, reader(game)]);
  return { game: found, small, failed, read };
}

/** Returns what makes a view of JSON one that the board of a game draws. */
async function reader(game: string): Promise<(view: View) => View> {
  return game === "wec" ? (await import("./wec_view")).numbered : (view) => view;
}
