import { expect, test } from "vitest";
import {
  around,
  flight,
  gridIn,
  isSymmetrical,
  mirrored,
  placesIn,
  rays,
  together,
} from "../../../src/boards/wec/figures";

test("a figure of the page is read as a grid, other texts are not", () => {
  expect(gridIn(". x .\n. o .\n. . 1\n")).toEqual([
    [".", "x", "."],
    [".", "o", "."],
    [".", ".", "1"],
  ]);
  for (const text of ["S = piece", ". x .\n. o .", ""]) expect(gridIn(text)).toBeUndefined();
});

test("a left-handed piece has the mirror image, and a secondary the lower step of all paths", () => {
  const grid = [
    [".", ".", "2"],
    [".", "o", "1"],
    [".", ".", "."],
  ];
  expect(isSymmetrical(grid)).toBe(false);
  expect(mirrored(grid)[0]).toEqual(["2", ".", "."]);
  expect(together(grid, mirrored(grid))[1]).toEqual(["1", "o", "1"]);
  expect(together([["2"]], [["1"]])).toEqual([["1"]]);
});

test("weapons hit in eight directions, detectors all around, projectiles straight on", () => {
  expect(rays(2, 1, 2)[0]).toEqual(["l", ".", "l", ".", "l"]);
  expect(rays(2, 1, 2)[1]).toEqual([".", "h", "h", "h", "."]);
  expect(around(2, 1)[1]).toEqual([".", "s", "s", "s", "."]);
  expect(flight(2).map((row) => row[2])).toEqual(["E", "1", "o", ".", "."]);
});

test("a figure is said by columns to the right and rows forward", () => {
  expect(placesIn(rays(1, 1, 1), "en")).toBe(
    "Columns to the right and rows forward: hits (-1, 1) (0, 1) (1, 1) (-1, 0) (1, 0) (-1, -1) (0, -1) (1, -1)",
  );
  expect(placesIn(flight(1), "de")).toContain("explodiert auf (0, 1)");
});
