/** Moving the focus over a grid by keys (ARIA grid pattern): one cell is in the tab order, arrow keys go to the others. */

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
