import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UpdateSchema, type Update } from "@brettwerk/client/v1/sessions";
import { Playback } from "../../../../src/app/table/playback/playback.svelte";
import type { Stage } from "../../../../src/boards/board";

/** A playback of updates that come one by one; what is shown of each is said by its version. */
function stand(stages: Readonly<Record<number, readonly Stage[]>>) {
  const past: Update[] = [];
  const shown: number[] = [];
  const playback = new Playback({
    next: (version) => past.find((update) => update.version > version),
    head: () => past.at(-1)?.version ?? 0n,
    stages: (update) => stages[Number(update.version)] ?? [],
    presented: (update) => shown.push(Number(update.version)),
  });
  const come = (...versions: number[]): void => {
    for (const version of versions) {
      past.push(create(UpdateSchema, { version: BigInt(version) }));
      playback.arrived();
    }
  };
  return { playback, shown, come };
}

const second: Stage = { name: "move", seconds: 1 };
const table: Stage = { name: "table", seconds: Infinity, rests: true };
const step: Stage = { name: "step", seconds: 1, minor: true };

describe("playback", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("shows at once what needs no time", () => {
    const { playback, shown, come } = stand({});
    come(1, 2, 3);
    expect(shown).toEqual([1, 2, 3]);
    expect(playback.at).toBeUndefined();
  });

  it("lets what comes meanwhile wait, and shows it in order", () => {
    const { playback, shown, come } = stand({ 1: [second], 3: [second, second] });
    come(1, 2, 3, 4);
    expect([shown, playback.at]).toEqual([[1], 1n]);
    vi.advanceTimersByTime(1000);
    expect([shown, playback.at]).toEqual([[1, 2, 3], 3n]);
    vi.advanceTimersByTime(2000);
    expect([shown, playback.at]).toEqual([[1, 2, 3, 4], undefined]);
  });

  it("goes on from a part of a turn to its end, and from there to the next one", () => {
    const { playback, shown, come } = stand({ 1: [step], 2: [step], 3: [table], 4: [step], 5: [step] });
    come(1, 2, 3, 4, 5);
    playback.go();
    expect([shown.at(-1), playback.stage?.name]).toEqual([3, "table"]);
    playback.go();
    expect([shown.at(-1), playback.stage?.name]).toEqual([4, "step"]);
    playback.go();
    expect([shown.at(-1), playback.at]).toEqual([5, undefined]);
    come(6);
    expect(shown.at(-1)).toBe(6);
  });

  it("waits for the player where it is asked to, unless nobody attends", () => {
    const { playback, shown, come } = stand({ 1: [table] });
    come(1, 2);
    vi.advanceTimersByTime(1_000_000);
    expect([shown, playback.waits]).toEqual([[1], true]);
    playback.go();
    expect(shown).toEqual([1, 2]);

    const other = stand({ 1: [table] });
    other.playback.hurry(2, true);
    other.come(1, 2);
    vi.advanceTimersByTime(1500);
    expect(other.shown).toEqual([1, 2]);
  });

  it("skips to the newest", () => {
    const { playback, shown, come } = stand({ 1: [table], 2: [table] });
    come(1, 2, 3, 4);
    playback.skip();
    expect([shown, playback.at, playback.stage]).toEqual([[1, 4], undefined, undefined]);
    come(5);
    expect(shown).toEqual([1, 4, 5]);
  });

  it("stands while it is paused, and goes on step by step", () => {
    const { playback, shown, come } = stand({ 1: [second], 2: [second] });
    come(1, 2, 3);
    playback.pause();
    vi.advanceTimersByTime(60_000);
    expect(shown).toEqual([1]);
    playback.go();
    vi.advanceTimersByTime(60_000);
    expect(shown).toEqual([1, 2]);
    playback.resume();
    vi.advanceTimersByTime(1000);
    expect(shown).toEqual([1, 2, 3]);
  });

  it("keeps back what comes while it is paused with nothing to show", () => {
    const { playback, shown, come } = stand({});
    come(1);
    playback.pause();
    come(2, 3);
    expect([shown, playback.at]).toEqual([[1], 1n]);
    playback.resume();
    expect([shown, playback.at]).toEqual([[1, 2, 3], undefined]);
  });

  it("rests at the next place to rest when it is asked to", () => {
    const { playback, shown, come } = stand({ 1: [second], 2: [{ ...table, seconds: 2 }], 3: [second] });
    come(1, 2, 3);
    playback.rest();
    vi.advanceTimersByTime(60_000);
    expect([shown, playback.paused]).toEqual([[1, 2], true]);
  });
});
