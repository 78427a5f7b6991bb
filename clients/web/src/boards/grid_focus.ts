/**
 * A grid answers keys (ARIA grid pattern): one cell is in the tab order, arrow keys go to the others, Enter and Space press.
 *
 * The cells are numbered by their board, in whatever order it likes.
 */

/** A cell of a grid. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

/**
 * Returns the cell that `key` leads to, or undefined when it leads nowhere.
 *
 * Arrow keys step inside the grid, Home and End go to the ends of the row, with Control to the corners of the grid.
 */
export function moveFocus(from: Cell, key: string, control: boolean, rows: number, columns: number): Cell | undefined {
  const { row, column } = from;
  const step = (down: number, right: number): Cell | undefined => {
    const to = { row: row + down, column: column + right };
    return to.row >= 0 && to.row < rows && to.column >= 0 && to.column < columns ? to : undefined;
  };
  switch (key) {
    case "ArrowUp":
      return step(-1, 0);
    case "ArrowDown":
      return step(1, 0);
    case "ArrowLeft":
      return step(0, -1);
    case "ArrowRight":
      return step(0, 1);
    case "Home":
      return { row: control ? 0 : row, column: 0 };
    case "End":
      return { row: control ? rows - 1 : row, column: columns - 1 };
    default:
      return undefined;
  }
}

/** A grid of a board. */
export interface Roving {
  /** Returns the cell that a key leads to from a cell, itself where it ends there; undefined for keys of no use here. */
  leads(cell: number, key: string, control: boolean): number | undefined;
  /** The focus goes to a cell. */
  focus(cell: number): void;
  /** A cell is pressed, with Shift or without; absent where cells are buttons, which know that themselves. */
  press?(cell: number, shift: boolean): void;
}

/** Answers a key that was pressed on a cell; what leads the focus is of no use to anybody else. */
export function answerKey(event: KeyboardEvent, cell: number, grid: Roving): void {
  if (grid.press !== undefined && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    grid.press(cell, event.shiftKey);
    return;
  }
  const to = grid.leads(cell, event.key, event.ctrlKey);
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  grid.focus(to);
}

/** Gives the focus to the cell of a name. */
export function focusOn(grid: Element | undefined, name: string | undefined): void {
  const cells = [...(grid?.querySelectorAll<HTMLElement | SVGElement>("[data-testid]") ?? [])];
  cells.find((cell) => cell.dataset["testid"] === `square-${name}`)?.focus();
}
