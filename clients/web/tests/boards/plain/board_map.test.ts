/** A board whose places lie on a map: what is drawn of it, and where arrow keys lead. */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { BoardSchema, type Board } from "@brettwerk/client/v1/games";
import { drawnOf, isMap, nearestBy, waysOf } from "../../../src/boards/plain/board_map";

/** Returns four places in a square of 100, the first one with an outline; neighbours are those beside and below each other. */
function square(width = 100): Board {
  const at = [
    [20, 20],
    [80, 20],
    [20, 80],
    [80, 80],
  ] as const;
  const near = [
    [1, 2],
    [0, 3],
    [0, 3],
    [1, 2],
  ];
  return create(BoardSchema, {
    width,
    height: 100,
    places: at.map(([x, y], number) => ({
      number,
      name: "ABCD".charAt(number),
      x,
      y,
      neighbours: near[number] ?? [],
      outlines: number === 0 ? [{ points: [10, 10, 30.04, 10, 20, 30] }] : [],
    })),
    groups: [
      { id: "plain", places: [0, 1] },
      { id: "red", places: [0], colour: "#ff0000" },
    ],
  });
}

test("a board is a map where its places have positions and outlines", () => {
  expect(isMap(square())).toBe(true);
  expect(isMap({ ...square(), width: 0 })).toBe(false);
  const places = square().places.map((place) => ({ ...place, outlines: [] }));
  expect(isMap({ ...square(), places })).toBe(false);
});

test("a place is drawn by its outlines, in the colour of its group", () => {
  const [first, second] = drawnOf(square());
  expect(first).toEqual({ number: 0, name: "A", x: 20, y: 20, path: "M10 10L30 10L20 30Z", colour: "#ff0000" });
  expect(second).toMatchObject({ path: "", colour: "" });
});

test("each way between neighbours is drawn once, and around the edge where that is shorter", () => {
  expect(waysOf(square(200))).toBe("M20 20L80 20M20 20L20 80M80 20L80 80M20 80L80 80");
  expect(waysOf(square()).split("M")).toContain("20 20L-20 20");
});

test("arrow keys lead to the nearest place on their side", () => {
  const places = drawnOf(square());
  expect(["ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft", "Home"].map((key) => nearestBy(places, 0, key))).toEqual([
    1,
    2,
    undefined,
    undefined,
    undefined,
  ]);
});

test("ways lead to neighbours on a board that lacks numbers", () => {
  const { places, ...board } = square();
  const renumbered = places.map((place) => ({
    ...place,
    number: 2 * place.number,
    neighbours: place.neighbours.map((each) => 2 * each),
  }));
  expect(waysOf({ ...board, places: renumbered })).toBe(waysOf(square()));
});
