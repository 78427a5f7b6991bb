/** Values that are told on only when they have changed. */
import { flushSync } from "svelte";
import { afterEach, expect, test } from "vitest";
import { memo } from "../../../../src/app/table/stage/memo.svelte";

const state = $state({ number: 1, word: "one" });
let end: (() => void) | undefined;
afterEach(() => {
  end?.();
  Object.assign(state, { number: 1, word: "one" });
});

function watched(): { seen: string[]; reads: () => number } {
  const seen: string[] = [];
  let reads = 0;
  end = $effect.root(() => {
    const values = memo(() => {
      reads += 1;
      return { isEven: state.number % 2 === 0, word: state.word };
    });
    $effect(() => void seen.push(`${values.word} ${String(values.isEven)}`));
    $effect(() => void seen.push(values.word));
  });
  flushSync();
  seen.length = 0;
  return { seen, reads: () => reads };
}

test("a follower of a value hears of it when it changes", () => {
  const { seen } = watched();
  state.number = 2;
  flushSync();
  expect(seen).toEqual(["one true"]);
});

test("several values change together", () => {
  const { seen } = watched();
  Object.assign(state, { number: 2, word: "two" });
  flushSync();
  expect(seen).toEqual(["two true", "two"]);
});

test("a value read again and unchanged is not told", () => {
  const { seen, reads } = watched();
  const before = reads();
  state.number = 3;
  flushSync();
  expect(reads()).toBeGreaterThan(before);
  expect(seen).toEqual([]);
});
