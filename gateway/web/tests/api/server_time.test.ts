import { expect, test } from "vitest";
import { ServerTime } from "../../src/api/server_time";

test("the quickest message sets the time, and a slow one does not spoil it", () => {
  let device = 10_000;
  const time = new ServerTime(() => device);
  expect(time.now).toBe(10_000);
  time.note(4_900);
  expect(time.now).toBe(4_900);
  device = 11_000;
  time.note(5_980);
  expect(time.now).toBe(5_980);
  device = 12_000;
  time.note(5_000);
  expect(time.now).toBe(6_980);
});
