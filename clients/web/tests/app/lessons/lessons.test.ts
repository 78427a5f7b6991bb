import { expect, test } from "vitest";
import { judge, matches, type Played } from "../../../src/app/lessons/verdict";
import { readFinished } from "../../../src/app/lessons/progress.svelte";
import de from "../../../../../brettwerk_games/languages/de/page/lessons.json";
import en from "../../../src/app/lessons/en.json";
import type { Lesson } from "../../../src/boards/lessons";

const words = (text: string) => ({ en: text, de: text });
const lesson: Lesson = {
  id: "x",
  title: words("title"),
  rules: ["X-RULE-1"],
  task: words("task"),
  done: words("done"),
  other: words("other"),
  slips: [{ when: [{ event: { moved: { stone: 9 } } }], says: words("slip") }],
  start: {},
  goal: [{ event: { moved: { seat: 0, stone: 3 } } }, { view: { left: 0 } }],
  actions: 2,
  solution: [],
};
const ply = (stone: number, left = 0, own = true): Played => ({
  own,
  events: [{ moved: { stone } }],
  view: left === 0 ? {} : { left },
});

test("a goal is reached when everything has happened, and the view is as it is to be", () => {
  expect(judge(lesson, [], false).is).toBe("open");
  expect(judge(lesson, [ply(3, 1)], false).is).toBe("open");
  expect(judge(lesson, [ply(3, 1), ply(4)], false).is).toBe("reached");
  expect(judge(lesson, [ply(3)], true).is).toBe("reached");
});

test("a goal once reached stays so, whatever others do then", () => {
  expect(judge(lesson, [ply(3), ply(9, 5, false)], false).is).toBe("reached");
});

test("a lesson is missed when its actions are spent or the game is over, and only by the player's own", () => {
  expect(judge(lesson, [ply(4), ply(5, 0, false)], false).is).toBe("open");
  expect(judge(lesson, [ply(4), ply(5)], false)).toEqual({ is: "missed", says: words("other") });
  expect(judge(lesson, [ply(4)], true)).toEqual({ is: "missed", says: words("other") });
  expect(judge({ ...lesson, actions: 1, slips: [] }, [ply(9)], false)).toEqual({ is: "missed", says: words("other") });
});

test("a slip is told at once, in its own words", () => {
  expect(judge(lesson, [ply(9)], false)).toEqual({ is: "missed", says: words("slip") });
});

test("patterns compare fields, lists and absent fields", () => {
  const value = { a: { b: 3 }, items: [{ x: 1 }, { x: 2, y: "z" }] };
  expect(matches(value, { a: { b: 3 }, none: 0 })).toBe(true);
  expect(matches(value, { a: { b: 4 } })).toBe(false);
  expect(matches(value, { items: { $some: { y: "z" }, $none: { x: 3 }, $count: 2, $at: { 0: { x: 1 } } } })).toBe(true);
  expect(matches(value, { items: { $none: { x: 2 } } })).toBe(false);
  expect(matches(value, { a: { b: { $least: 3, $most: 3 } } })).toBe(true);
  expect(matches(value, { a: { b: { $least: 4 } } })).toBe(false);
});

test("kept progress is read with care", () => {
  expect(readFinished(undefined)).toEqual({});
  expect(readFinished({ einstein: ["die", 7, "x".repeat(40)], other: "no" })).toEqual({ einstein: ["die"] });
});

test("both languages say the same things", () => {
  expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
});
