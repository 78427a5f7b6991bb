import { expect, test } from "vitest";
import type { Choice } from "../../src/boards/board";
import { follow, narrow, touch } from "../../src/boards/place_choice";

const choice = (key: number, ...places: string[]): Choice => ({ key, places, notation: `${key}`, label: `${key}` });
const two = [choice(0, "A", "B"), choice(1, "A", "C"), choice(2, "D", "C")];

test("every touch leaves the actions that go on from it", () => {
  const start = narrow(two, []);
  expect([...start.next]).toEqual(["A", "D"]);
  const a = touch(two, start, "A");
  expect([...a.next]).toEqual(["B", "C"]);
  const ac = touch(two, a, "C");
  expect(ac.complete.map((each) => each.key)).toEqual([1]);
});

test("the last place touched again is taken back", () => {
  const a = touch(two, narrow(two, []), "A");
  expect(touch(two, a, "A").picked).toEqual([]);
});

test("another place begins anew, and one that begins nothing clears the choice", () => {
  const a = touch(two, narrow(two, []), "A");
  expect(touch(two, a, "D").picked).toEqual(["D"]);
  expect(touch(two, a, "E").picked).toEqual([]);
});

test("a place that may be touched twice in a row is added, not taken back", () => {
  const circle = [choice(0, "A", "A", "B")];
  const a = touch(circle, narrow(circle, []), "A");
  expect(touch(circle, a, "A").picked).toEqual(["A", "A"]);
});

test("actions that places do not tell apart are all complete", () => {
  const alike = [choice(0, "A"), choice(1, "A")];
  expect(touch(alike, narrow(alike, []), "A").complete).toHaveLength(2);
});

test("an action without places is complete before anything is touched", () => {
  const pass = [choice(0), choice(1, "A")];
  const start = narrow(pass, []);
  expect(start.complete.map((each) => each.key)).toEqual([0]);
  expect(start.choices).toHaveLength(2);
});

test("steps that leave no decision are followed, as far as asked", () => {
  const one = [choice(0, "A", "B", "C"), choice(1, "A", "B", "D")];
  expect(follow(one, narrow(one, []), 1).picked).toEqual(["A"]);
  expect(follow(one, narrow(one, []), 9).picked).toEqual(["A", "B"]);
  expect(follow(two, narrow(two, []), 9).picked).toEqual([]);
  const open = [choice(0), choice(1, "A")];
  expect(follow(open, narrow(open, []), 9).picked).toEqual([]);
});
