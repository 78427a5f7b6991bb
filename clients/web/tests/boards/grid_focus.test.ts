import { afterEach, expect, test } from "vitest";
import { answerKey, focusOn, moveFocus, type Roving } from "../../src/boards/grid_focus";

afterEach(() => document.body.replaceChildren());

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

/** Presses a key on cell 5 of a grid of rows of four. Returns what came of it. */
function pressed(init: KeyboardEventInit, cells: "buttons" | Partial<Roving> = {}): string[] {
  const heard: string[] = [];
  const grid: Roving = {
    leads(cell, key, control) {
      const to = moveFocus({ row: Math.floor(cell / 4), column: cell % 4 }, key, control, 3, 4);
      return to && to.row * 4 + to.column;
    },
    focus: (cell) => void heard.push(`focus ${cell}`),
    ...(cells === "buttons"
      ? {}
      : { press: (cell, shift) => void heard.push(`press ${cell}${shift ? " with Shift" : ""}`), ...cells }),
  };
  const cell = document.createElement("button");
  document.body.append(cell);
  cell.addEventListener("keydown", (event) => answerKey(event, 5, grid));
  document.body.addEventListener("keydown", () => heard.push("outside"), { once: true });
  const untouched = cell.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }));
  return untouched ? [...heard, "untouched"] : heard;
}

test("a key that leads to another cell is used up, and no key of the page as well", () => {
  expect(pressed({ key: "ArrowDown" })).toEqual(["focus 9"]);
  expect(pressed({ key: "End" })).toEqual(["focus 7"]);
  expect(pressed({ key: "Home", ctrlKey: true })).toEqual(["focus 0"]);
});

test("a key that leads nowhere is left to the page", () => {
  expect(pressed({ key: "Escape" })).toEqual(["outside", "untouched"]);
  expect(pressed({ key: "ArrowUp" }, { leads: () => undefined })).toEqual(["outside", "untouched"]);
  expect(pressed({ key: "ArrowUp" }, { leads: (cell) => cell })).toEqual(["focus 5"]);
});

test("Enter and Space press a cell, unless it is a button, which they press without help", () => {
  expect(pressed({ key: "Enter" })).toEqual(["press 5", "outside"]);
  expect(pressed({ key: " ", shiftKey: true })).toEqual(["press 5 with Shift", "outside"]);
  expect(pressed({ key: "Enter" }, "buttons")).toEqual(["outside", "untouched"]);
});

test("the focus goes to the cell of a name, whatever is in the name", () => {
  for (const name of ["A1", 'B"2]']) {
    const cell = document.createElement("button");
    cell.dataset["testid"] = `square-${name}`;
    document.body.append(cell);
  }
  focusOn(document.body, 'B"2]');
  expect(document.activeElement).toBe(document.body.lastElementChild);
  focusOn(document.body, "C3");
  focusOn(undefined, "A1");
  expect(document.activeElement).toBe(document.body.lastElementChild);
});
