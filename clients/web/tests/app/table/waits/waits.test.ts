/** How the moves of computers stand that a player waits for. */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ComputerWaitSchema, type ComputerWait } from "@brettwerk/client/v1/play";
import { LONG_MS, MOMENT_MS, Waiting } from "../../../../src/app/table/waits/waits.svelte";

const wait = (fields: MessageInitShape<typeof ComputerWaitSchema>): ComputerWait =>
  create(ComputerWaitSchema, { seat: 1, ...fields });
const thinks = wait({ thinks: true });
const queued = wait({ before: 14, waitMs: 20_000 });

let waiting: Waiting;
beforeEach(() => {
  vi.useFakeTimers();
  waiting = new Waiting();
});
afterEach(() => {
  waiting.leave();
  vi.useRealTimers();
});

test("a wait that is over in a moment is never shown", () => {
  waiting.update([thinks], 4n);
  vi.advanceTimersByTime(MOMENT_MS - 1);
  expect(waiting.statuses).toEqual([]);
  waiting.arrived(5n);
  vi.advanceTimersByTime(60_000);
  expect(waiting.statuses).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a wait that takes longer is shown, and later news of it at once", () => {
  waiting.update([queued], 4n);
  vi.advanceTimersByTime(MOMENT_MS);
  expect(waiting.statuses).toMatchObject([{ seat: 1, state: "waits", before: 14, waitMs: 20_000 }]);
  waiting.update([wait({ before: 3, waitMs: 4000 })], 4n);
  expect(waiting.statuses).toMatchObject([{ state: "waits", before: 3, waitMs: 4000 }]);
  waiting.update([thinks], 4n);
  expect(waiting.statuses).toMatchObject([{ state: "thinks", waitMs: undefined }]);
});

test("the next version ends it, and news for an earlier one is not believed", () => {
  waiting.update([queued], 4n);
  vi.advanceTimersByTime(MOMENT_MS);
  waiting.arrived(5n);
  expect(waiting.statuses).toEqual([]);
  waiting.update([queued], 4n);
  vi.advanceTimersByTime(60_000);
  expect(waiting.statuses).toEqual([]);
});

test("a wait told for a version overtakes its update and holds", () => {
  waiting.update([queued], 5n);
  waiting.arrived(5n);
  vi.advanceTimersByTime(MOMENT_MS);
  expect(waiting.statuses.length).toBe(1);
});

test("a wait that is not told any more is over without a version", () => {
  waiting.update([queued, wait({ seat: 2, thinks: true })], 4n);
  vi.advanceTimersByTime(MOMENT_MS);
  waiting.update([wait({ seat: 2, thinks: true })], 4n);
  expect(waiting.statuses.map(({ seat }) => seat)).toEqual([2]);
  waiting.update([], 4n);
  expect(waiting.statuses).toEqual([]);
});

test("a session that begins anew at an earlier version is told of again", () => {
  waiting.arrived(9n);
  waiting.begun(3n);
  waiting.update([queued], 3n);
  vi.advanceTimersByTime(MOMENT_MS);
  expect(waiting.statuses.length).toBe(1);
});

test("a wait is long by what is told, by what has passed, or because nobody can think, and stays long", () => {
  waiting.update([wait({ waitMs: LONG_MS })], 4n);
  vi.advanceTimersByTime(MOMENT_MS);
  expect(waiting.statuses[0]?.long).toBe(true);
  waiting.update([wait({ waitMs: 1000 })], 4n);
  expect(waiting.statuses[0]?.long).toBe(true);

  waiting.arrived(5n);
  waiting.update([wait({ waitMs: 0 })], 5n);
  vi.advanceTimersByTime(LONG_MS - 1);
  expect(waiting.statuses[0]?.long).toBe(false);
  vi.advanceTimersByTime(1);
  expect(waiting.statuses[0]?.long).toBe(true);

  waiting.arrived(6n);
  waiting.update([wait({ noComputer: true })], 6n);
  vi.advanceTimersByTime(MOMENT_MS);
  expect(waiting.statuses).toMatchObject([{ state: "none", long: true }]);
});

test("a thinking computer is not waited for long, however long that takes", () => {
  waiting.update([thinks], 4n);
  vi.advanceTimersByTime(60_000);
  expect(waiting.statuses).toMatchObject([{ state: "thinks", long: false }]);
});
