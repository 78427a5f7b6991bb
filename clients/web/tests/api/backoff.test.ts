import { expect, test } from "vitest";
import { backoff } from "@brettwerk/client/wire";

const backoffRange = { first: 500, most: 15_000 };

test("the longest wait doubles with every try until it stays", () => {
  const longest = [0, 1, 2, 3, 4, 5, 6, 50].map((attempt) => backoff(attempt, backoffRange, () => 1));
  expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
});

test("a wait is never shorter than half of the longest, and chance spreads it", () => {
  for (let attempt = 0; attempt < 10; attempt++) {
    const longest = backoff(attempt, backoffRange, () => 1);
    expect(backoff(attempt, backoffRange, () => 0)).toBe(longest / 2);
    expect(backoff(attempt, backoffRange, () => 0.5)).toBe(longest * 0.75);
  }
});
