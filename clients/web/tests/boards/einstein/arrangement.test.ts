import { expect, test } from "vitest";
import { HOMES, shuffle, STANDARD, swap } from "../../../src/boards/einstein/arrangement";
import { SQUARES } from "../../../src/boards/einstein/squares";

test("the start squares are those of the rules, in their order", () => {
  const names = HOMES.map((homes) => homes.map((square) => SQUARES[square]).join(" "));
  expect(names).toEqual(["E5 D5 C5 E4 D4 E3", "A1 B1 C1 A2 B2 A3"]);
});

test("swapping and shuffling keep every stone once", () => {
  for (const standard of STANDARD) {
    expect(swap(standard, 0, 5)).toEqual([standard[5], ...standard.slice(1, 5), standard[0]]);
    for (const random of [() => 0, () => 0.5, () => 0.999]) {
      expect(shuffle(standard, random).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    }
  }
});
