import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Batches } from "../../../../src/app/table/state/batches";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function gathering(waitMs: () => number = () => 250): { taken: (readonly number[])[]; each: Batches<number> } {
  const taken: (readonly number[])[] = [];
  return { taken, each: new Batches<number>({ waitMs, take: (all) => taken.push(all) }) };
}

test("an item after a quiet time is taken at once", () => {
  const { taken, each } = gathering();
  each.add(1);
  vi.advanceTimersByTime(300);
  each.add(2);
  expect(taken).toEqual([[1], [2]]);
});

test("items in quick succession are taken in order and in one go", () => {
  const { taken, each } = gathering();
  for (const item of [1, 2, 3]) each.add(item);
  expect(taken).toEqual([[1]]);
  vi.advanceTimersByTime(249);
  each.add(4);
  vi.advanceTimersByTime(1);
  expect(taken).toEqual([[1], [2, 3, 4]]);
  each.add(5);
  expect(taken).toHaveLength(2);
  vi.advanceTimersByTime(250);
  expect(taken.at(-1)).toEqual([5]);
});

test("how long is waited is asked with each that comes", () => {
  let waitMs = 250;
  const { taken, each } = gathering(() => waitMs);
  each.add(1);
  vi.advanceTimersByTime(100);
  waitMs = 32;
  each.add(2);
  expect(taken).toEqual([[1], [2]]);
});

test("waiting items are taken on demand, and once", () => {
  const { taken, each } = gathering();
  each.add(1);
  each.add(2);
  each.flush();
  vi.advanceTimersByTime(1000);
  expect(taken).toEqual([[1], [2]]);
});

test("waiting items are forgotten on demand", () => {
  const { taken, each } = gathering();
  each.add(1);
  each.add(2);
  each.drop();
  vi.advanceTimersByTime(1000);
  expect(taken).toEqual([[1]]);
});
