/** A game's board on any page: nothing of the app is needed for it (README.md, "A board on a page of your own"). */
import { mount, unmount } from "svelte";
import { loadBoard, type BoardProps } from "./board";
import type { SetName } from "./sets";
import StandaloneBoard from "./StandaloneBoard.svelte";

/** The props of a shown board: the view and the game's sentences at least; a board with nothing else is only looked at. */
export type Shown<View> = Pick<BoardProps<View>, "view" | "say"> & Partial<BoardProps<View>>;

/** A board on a page. */
export interface MountedBoard<View> {
  /** Shows something else; what is not named stays as it is. */
  update(changes: Partial<BoardProps<View>>): void;
  /** Takes the board off the page. */
  remove(): Promise<void>;
}

const LOOKED_AT: Omit<BoardProps, "view" | "say"> = {
  choices: [],
  events: [],
  advice: [],
  seats: [],
  settings: { autoplay: false, roll: "agreed", flipped: false },
  kept: {},
  more: false,
  busy: false,
  onchoose: () => undefined,
  onbuild: () => undefined,
  onmore: () => undefined,
  onkeep: () => undefined,
};

/**
 * Draws a game's own board in an element.
 *
 * Raises an Error when the game has no board of its own: `PlainBoard` draws any game from its scene.
 */
export async function mountBoard<View>(
  target: Element,
  game: string,
  first: Shown<View>,
  set: SetName = "studio",
): Promise<MountedBoard<View>> {
  const board = await loadBoard(game);
  if (board === undefined) throw new Error(`${game} has no board of its own`);
  let shown = $state.raw<BoardProps>({ ...LOOKED_AT, ...first });
  const props = {
    game,
    set,
    board,
    get shown() {
      return shown;
    },
  };
  const mounted = mount(StandaloneBoard, { target, props });
  return {
    update: (changes) => (shown = { ...shown, ...changes }),
    remove: () => unmount(mounted),
  };
}
