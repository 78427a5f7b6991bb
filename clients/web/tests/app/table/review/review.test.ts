/** The review of a game asks about many positions, and waits where the server says that it asks too fast. */
import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Reason, RefusalSchema } from "@brettwerk/client/v1/errors";
import { Refused } from "@brettwerk/client/wire";
import { server } from "../../../../src/app/server.svelte";
import { Review } from "../../../../src/app/table/review/review.svelte";

const BUSY_MS = 3000;
const tooFast = (): Refused =>
  new Refused(create(RefusalSchema, { reason: Reason.TOO_MANY_REQUESTS, retryAfterMs: BUSY_MS }));

/** How many more requests are answered before the next pause. */
let left = 0;
let asked = 0;

beforeEach(() => {
  vi.useFakeTimers();
  [left, asked] = [0, 0];
  vi.spyOn(server, "call").mockImplementation(() => {
    asked++;
    if (left === 0) return Promise.reject(tooFast());
    left--;
    return Promise.resolve({ winChance: 0.5, hints: [] });
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("a question asked too fast is asked again when the server says so, until all is answered", async () => {
  const review = new Review("s");
  left = 3;
  const done = review.run([1n, 2n, 3n, 4n, 5n], "token");
  await vi.advanceTimersByTimeAsync(BUSY_MS - 1);
  expect(review.answers.size).toBe(3);
  expect(review.running).toBe(true);
  expect(review.refusal).toBeUndefined();
  left = 2;
  await vi.advanceTimersByTimeAsync(1);
  await done;
  expect([...review.answers.keys()].sort()).toEqual([1n, 2n, 3n, 4n, 5n]);
  expect(review.running).toBe(false);
});

test("a review that is stopped while it waits asks nothing more", async () => {
  const review = new Review("s");
  const done = review.run([1n, 2n, 3n], "token");
  await vi.advanceTimersByTimeAsync(BUSY_MS / 2);
  const before = asked;
  review.stop();
  await done;
  await vi.advanceTimersByTimeAsync(10 * BUSY_MS);
  expect(asked).toBe(before);
  expect(review.running).toBe(false);
});

test("where the server never has time, that is said in the end", async () => {
  const review = new Review("s");
  const done = review.run([1n], "token");
  await vi.advanceTimersByTimeAsync(100 * BUSY_MS);
  await done;
  expect(review.refusal?.reason).toBe(Reason.TOO_MANY_REQUESTS);
});
