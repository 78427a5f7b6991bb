/** No chance is written as all or nothing that can still go either way. */
import { expect, test } from "vitest";
import { percent } from "../../src/boards/chance";

test.each([
  [1, "> 99 %"],
  [Math.fround(1 - 1e-9), "> 99 %"],
  [0.996, "> 99 %"],
  [0.99, "99 %"],
  [0.5, "50 %"],
  [0.01, "1 %"],
  [0.004, "< 1 %"],
  [0, "< 1 %"],
])("a chance of %d is %s", (chance, written) => {
  expect(percent(chance)).toBe(written);
});

test("chances of a finished game, and of impossible ends, are exact", () => {
  expect([percent(1, true), percent(0, true), percent(0.5, true)]).toEqual(["100 %", "0 %", "50 %"]);
  expect(percent(0.999, true)).toBe("> 99 %");
});
