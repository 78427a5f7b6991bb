import { expect, test } from "vitest";
import { isNight, restOf, USUAL_REST } from "../../../src/app/vacation/rest_hours";

test("a night has at most twelve hours, also beyond midnight", () => {
  expect(isNight(USUAL_REST)).toBe(true);
  expect(isNight({ ...USUAL_REST, nightFrom: 20 * 60, nightUntil: 8 * 60 })).toBe(true);
  expect(isNight({ ...USUAL_REST, nightFrom: 20 * 60, nightUntil: 8 * 60 + 1 })).toBe(false);
  expect(isNight({ ...USUAL_REST, nightFrom: 0, nightUntil: 0 })).toBe(true);
});

test("the device keeps hours without a time zone", () => {
  expect(Object.keys(restOf(USUAL_REST))).toEqual(["nightFrom", "nightUntil", "weekends"]);
});
