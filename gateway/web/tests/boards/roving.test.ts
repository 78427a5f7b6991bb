import { expect, test } from "vitest";
import { moveFocus } from "../../src/boards/roving";

test("arrow keys step to the neighbour and stop at the edge", () => {
  expect(moveFocus({ row: 1, column: 1 }, "ArrowUp", false, 3, 4)).toEqual({ row: 0, column: 1 });
  expect(moveFocus({ row: 1, column: 1 }, "ArrowDown", false, 3, 4)).toEqual({ row: 2, column: 1 });
  expect(moveFocus({ row: 1, column: 1 }, "ArrowLeft", false, 3, 4)).toEqual({ row: 1, column: 0 });
  expect(moveFocus({ row: 1, column: 1 }, "ArrowRight", false, 3, 4)).toEqual({ row: 1, column: 2 });
  expect(moveFocus({ row: 0, column: 0 }, "ArrowUp", false, 3, 4)).toBeUndefined();
  expect(moveFocus({ row: 2, column: 3 }, "ArrowRight", false, 3, 4)).toBeUndefined();
});

test("Home and End go to the ends of the row, with Control to the corners", () => {
  expect(moveFocus({ row: 1, column: 2 }, "Home", false, 3, 4)).toEqual({ row: 1, column: 0 });
  expect(moveFocus({ row: 1, column: 2 }, "End", false, 3, 4)).toEqual({ row: 1, column: 3 });
  expect(moveFocus({ row: 1, column: 2 }, "Home", true, 3, 4)).toEqual({ row: 0, column: 0 });
  expect(moveFocus({ row: 1, column: 2 }, "End", true, 3, 4)).toEqual({ row: 2, column: 3 });
  expect(moveFocus({ row: 1, column: 2 }, "a", false, 3, 4)).toBeUndefined();
});
