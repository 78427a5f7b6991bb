/** Where arrow keys lead among places that lie in rows, however these are shifted against each other. */
import type { Cell } from "../grid_focus";

/** Returns the number of the cell that a key leads to, itself where it is there already; undefined for a key that leads nowhere. */
export function leadsTo(cells: readonly Cell[], from: number, key: string, control: boolean): number | undefined {
  const here = cells[from];
  if (here === undefined) return undefined;
  const inRow = (row: number): Cell[] =>
    cells.filter((cell) => cell.row === row).sort((one, other) => one.column - other.column);
  const numberOf = (cell: Cell | undefined): number | undefined =>
    cell === undefined ? undefined : cells.indexOf(cell);
  const own = inRow(here.row);
  const at = own.indexOf(here);
  /** The nearest one of another row; of two that are as near, the one that the way back leads from. */
  const across = (by: 1 | -1): Cell | undefined => {
    const distance = (cell: Cell): number => Math.abs(cell.column - here.column - by / 4);
    return inRow(here.row + by).sort((one, other) => distance(one) - distance(other))[0];
  };
  switch (key) {
    case "ArrowLeft":
      return numberOf(own[at - 1]);
    case "ArrowRight":
      return numberOf(own[at + 1]);
    case "ArrowUp":
      return numberOf(across(-1));
    case "ArrowDown":
      return numberOf(across(1));
    case "Home":
      return control ? 0 : numberOf(own[0]);
    case "End":
      return control ? cells.length - 1 : numberOf(own.at(-1));
    default:
      return undefined;
  }
}
