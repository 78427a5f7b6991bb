import { expect, test, vi } from "vitest";
import { ServerTime } from "../../src/api/server_time";

test("the quickest message sets the time, and a slow one does not spoil it", () => {
  let device = 10_000;
  const time = new ServerTime(() => device);
  time.note(4_900);
  expect(time.now).toBe(4_900);
  device = 11_000;
  time.note(5_980);
  expect(time.now).toBe(5_980);
  device = 12_000;
  time.note(5_000);
  expect(time.now).toBe(6_980);
});

test("before anything was noted the device's own clock is all there is, and after that it does not count", () => {
  const time = new ServerTime();
  expect(Math.abs(time.now - Date.now())).toBeLessThan(1000);
  time.note(1_000_000);
  const wall = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(wall - 3_600_000);
  expect(time.now).toBeGreaterThanOrEqual(1_000_000);
  expect(time.now).toBeLessThan(1_001_000);
  vi.restoreAllMocks();
});

test("a follower of the time learns when it was wrong", () => {
  let device = 10_000;
  const time = new ServerTime(() => device);
  const corrected: number[] = [];
  time.onCorrected = () => corrected.push(time.now);
  time.note(4_900);
  device += 1000;
  time.note(5_950);
  expect(corrected).toEqual([4_900, 5_950]);
  device += 1000;
  time.note(9_000);
  expect(corrected).toEqual([4_900, 5_950, 9_000]);
});
