/** Arrow keys reach every place, in rows that lie above each other and in such that are shifted. */
import { expect, test } from "vitest";
import { leadsTo } from "../../../src/boards/plain/focus_path";

const squares = [0, 1].flatMap((row) => [0, 1, 2].map((column) => ({ row, column })));
const hexagons = [0, 1, 2].flatMap((row) => [0, 2, 4].map((column) => ({ row, column: column + row })));

test.each([squares, hexagons])("a way down or right leads back", (...cells) => {
  for (const [from] of cells.entries()) {
    for (const [there, back] of [
      ["ArrowDown", "ArrowUp"],
      ["ArrowRight", "ArrowLeft"],
    ] as const) {
      const to = leadsTo(cells, from, there, false);
      if (to !== undefined) expect(leadsTo(cells, to, back, false)).toBe(from);
    }
  }
});

test.each([squares, hexagons])("keys reach all places from the first one", (...cells) => {
  const reached = new Set([0]);
  for (const from of reached) {
    for (const key of ["ArrowDown", "ArrowRight"]) {
      const to = leadsTo(cells, from, key, false);
      if (to !== undefined) reached.add(to);
    }
  }
  expect(reached.size).toBe(cells.length);
});

test("Home and End lead to the ends of a row, with Control to those of all", () => {
  expect(["Home", "End"].map((key) => leadsTo(squares, 4, key, false))).toEqual([3, 5]);
  expect(["Home", "End"].map((key) => leadsTo(squares, 4, key, true))).toEqual([0, 5]);
  expect(leadsTo(squares, 0, "ArrowLeft", false)).toBeUndefined();
  expect(leadsTo(squares, 0, "x", false)).toBeUndefined();
});
