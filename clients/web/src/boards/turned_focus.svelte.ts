/** A board that is turned has other squares where they were: the focus stays on its square. */
import { focusOn } from "./grid_focus";

interface Turned {
  /** The element of the board. */
  readonly grid: Element | undefined;
  /** Whether it is seen from its other side. */
  readonly turned: boolean;
  /** The name of the cell where the focus is or would come. */
  readonly focused: string | undefined;
}

/** Gives the focus back to its cell whenever a board that has it is turned; called while a component is made. */
export function keepFocusWhenTurned(board: () => Turned): void {
  let shown: boolean | undefined;
  $effect(() => {
    const { grid, turned, focused } = board();
    if (shown !== undefined && turned !== shown && grid?.contains(document.activeElement)) focusOn(grid, focused);
    shown = turned;
  });
}
