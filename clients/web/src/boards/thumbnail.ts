/** A game's board in small, only to look at: `Thumbnail.svelte` in the game's folder, where it has one. */
import type { Component } from "svelte";
import type { MapBoard } from "./plain/board_map";

export interface ThumbnailProps {
  /** The view, as a message of the game. */
  readonly view: unknown;
  /** The seats' colours. */
  readonly colours: readonly string[];
  /** The board, for what is drawn from its places. */
  readonly board?: MapBoard | undefined;
  /** How large it is drawn, in pixels, where it is written and cannot measure itself. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** A drawing in small, and the board that it is drawn from where the game's folder has no drawing of that. */
export interface SmallBoard {
  readonly Thumbnail: Component<ThumbnailProps>;
  readonly board?: MapBoard;
}

/** The options that make a board another one: the full name of their message type, and their fields. */
export interface BoardOptions {
  readonly type: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Returns the board that a game has with these options, or undefined when it has none. Raises an Error when it does not come. */
export type ReadBoard = (game: string, options: BoardOptions) => Promise<MapBoard | undefined>;

interface Drawing {
  readonly default: Component<ThumbnailProps>;
}

const boards = import.meta.glob<Drawing>("./*/Thumbnail.svelte");
const others = import.meta.glob<Drawing>("./*/OtherBoard.svelte");
// Small, and there before a drawing is chosen: so nobody downloads one that shows another board.
const options = import.meta.glob<(view: unknown) => BoardOptions | undefined>("./*/board_options.ts", {
  eager: true,
  import: "optionsOf",
});

/** Whether a game has a board in small. */
export function hasThumbnail(game: string): boolean {
  return `./${game}/Thumbnail.svelte` in boards;
}

/** Returns the options of a view whose board is not the one in the game's folder; undefined for all others. */
export function otherBoardOf(game: string, view: unknown): BoardOptions | undefined {
  return options[`./${game}/board_options.ts`]?.(view);
}

/**
 * Returns how a view is drawn in small, or undefined when that cannot be done. What it returns holds for all views of that board;
 * without a view it is the board in the game's folder. Raises an Error when something does not come.
 */
export async function loadThumbnail(game: string, view?: unknown, read?: ReadBoard): Promise<SmallBoard | undefined> {
  const other = otherBoardOf(game, view);
  if (other === undefined) {
    const Thumbnail = (await boards[`./${game}/Thumbnail.svelte`]?.())?.default;
    return Thumbnail && { Thumbnail };
  }
  const [drawing, board] = await Promise.all([others[`./${game}/OtherBoard.svelte`]?.(), read?.(game, other)]);
  return drawing && board && board.width > 0 ? { Thumbnail: drawing.default, board } : undefined;
}
