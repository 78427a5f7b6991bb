import { expect, test } from "vitest";
import { minuteOf, timeOf } from "../../../src/app/notifications/day_minutes";

test("a minute of the day is a time in a form, and back", () => {
  for (const minute of [0, 59, 60, 450, 1439]) expect(minuteOf(timeOf(minute))).toBe(minute);
  expect(timeOf(450)).toBe("07:30");
});

test("other text is no time", () => {
  for (const time of ["", "7:30", "24:00", "12:60", "noon"]) expect(minuteOf(time)).toBeUndefined();
});
