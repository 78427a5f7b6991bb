import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ClockSpec_Kind, ClockSpecSchema } from "@brettwerk/client/v1/record";
import { ClockStateSchema } from "@brettwerk/client/v1/sessions";
import { minutesOf, NO_CLOCK, spanOf, clockSpec } from "../../../../src/app/lobby/clock_form";
import { clockText, leftOf, standsFor, timeText, urgency, warningsFor } from "../../../../src/app/table/clock/clock";
import { spanText } from "../../../../src/app/table/clock/span";

test("a running clock loses the time since its update, a stopped one none, and none goes below zero", () => {
  const clock = (running: boolean) => create(ClockStateSchema, { leftMs: 5000n, running });
  expect(leftOf(clock(true), 1000, 3000)).toBe(3000);
  expect(leftOf(clock(false), 1000, 3000)).toBe(5000);
  expect(leftOf(clock(true), 1000, 99_000)).toBe(0);
  expect(leftOf(clock(true), 1000, 900)).toBe(5000);
});

test("the clock of a player on vacation stands still until they are back", () => {
  const clock = create(ClockStateSchema, { leftMs: 5000n, running: true, vacationUntilMs: 2000n });
  expect(leftOf(clock, 1000, 1900)).toBe(5000);
  expect(standsFor(clock, 1900)).toBe(100);
  expect(leftOf(clock, 1000, 3000)).toBe(4000);
  expect(leftOf(clock, 2500, 3000)).toBe(4500);
  expect(standsFor(clock, 3000)).toBe(0);
});

test("times read as on a clock", () => {
  const times = [0, 9_950, 10_000, 65_000, 3_600_000, 36_061_000, 3 * 86_400_000].map(timeText);
  expect(times).toEqual(["0.0", "9.9", "0:10", "1:05", "1:00:00", "10:01:01", "3 days"]);
});

test("the form tells the server its clock in milliseconds, within bounds", () => {
  expect(clockSpec(NO_CLOCK)).toBeUndefined();
  expect(clockSpec({ ...NO_CLOCK, kind: "turn", turnSeconds: 30 })).toEqual({
    kind: ClockSpec_Kind.PER_TURN,
    timeMs: 30_000n,
  });
  expect(clockSpec({ ...NO_CLOCK, kind: "total", totalMinutes: 1.5, incrementSeconds: 2 })).toEqual({
    kind: ClockSpec_Kind.TOTAL,
    timeMs: 90_000n,
    incrementMs: 2000n,
  });
  expect(clockSpec({ ...NO_CLOCK, kind: "turn", turnSeconds: Number.NaN })?.timeMs).toBe(1000n);
  expect(clockSpec({ ...NO_CLOCK, kind: "turn", turnSeconds: 1e12 })?.timeMs).toBe(3_600_000n);
});

test("the turn of a slow game is set in days, hours and minutes", () => {
  const turnMinutes = minutesOf({ days: 2, hours: 3, minutes: 5 });
  expect(spanOf(turnMinutes)).toEqual({ days: 2, hours: 3, minutes: 5 });
  expect(clockSpec({ ...NO_CLOCK, kind: "days", turnMinutes })).toEqual({
    kind: ClockSpec_Kind.PER_TURN,
    timeMs: BigInt(turnMinutes) * 60_000n,
    vacationDays: 14,
    automaticVacation: true,
    restHours: false,
  });
  const clock = { ...NO_CLOCK, kind: "days" as const, turnMinutes, vacationDays: 99 };
  expect(clockSpec(clock)).toHaveProperty("vacationDays", 60);
  expect(clockSpec({ ...clock, vacationDays: 0 })).toHaveProperty("automaticVacation", false);
  expect(clockSpec({ ...clock, turnMinutes: 1439 })).not.toHaveProperty("vacationDays");
  expect(minutesOf({ days: Number.NaN, hours: -1, minutes: 0 })).toBe(1);
  expect(minutesOf({ days: 99, hours: 0, minutes: 0 })).toBe(30 * 1440);
});

test("a time bank begins with days, grows by hours, and no further than its bound", () => {
  const bank = { ...NO_CLOCK, kind: "bank" as const };
  expect(clockSpec(bank)).toEqual({
    kind: ClockSpec_Kind.TOTAL,
    timeMs: 3n * 86_400_000n,
    incrementMs: 12n * 3_600_000n,
    capMs: 7n * 86_400_000n,
    claims: false,
    vacationDays: 14,
    automaticVacation: true,
    restHours: false,
  });
  expect(clockSpec({ ...bank, bankDays: 10, bankCapDays: 2 })).toMatchObject({
    timeMs: 10n * 86_400_000n,
    capMs: 10n * 86_400_000n,
  });
  expect(clockSpec({ ...bank, bankDays: 0, bankHours: 99 })).toMatchObject({
    timeMs: 86_400_000n,
    incrementMs: 86_400_000n,
  });
});

test("spans are said by their two largest parts", () => {
  const spans = [500, 90_000, 3_600_000, 5_430_000, 86_400_000, 2 * 86_400_000 + 3 * 3_600_000 + 60_000].map(spanText);
  expect(spans).toEqual(["1 min", "1 min", "1 h", "1 h 30 min", "1 day", "2 days 3 h"]);
});

test("a clock's settings are said in short", () => {
  expect(clockText(undefined)).toBe("");
  const total = { kind: ClockSpec_Kind.TOTAL, timeMs: 300_000n, incrementMs: 3000n };
  expect(clockText(create(ClockSpecSchema, total))).toBe("5 min + 3 s");
  expect(clockText(create(ClockSpecSchema, { kind: ClockSpec_Kind.PER_TURN, timeMs: 30_000n }))).toBe("30 s");
  const slow = { kind: ClockSpec_Kind.PER_TURN, timeMs: 3n * 86_400_000n };
  expect(clockText(create(ClockSpecSchema, slow))).toBe("3 days");
  const bank = { kind: ClockSpec_Kind.TOTAL, timeMs: 3n * 86_400_000n, incrementMs: 43_200_000n, capMs: 604_800_000n };
  expect(clockText(create(ClockSpecSchema, bank))).toBe("3 days + 12 h ≤ 7 days");
  expect(clockText(create(ClockSpecSchema, { ...slow, restHours: true }))).toBe("3 days, without rest hours");
  expect(clockText(create(ClockSpecSchema, { ...bank, claims: true }))).toContain(", time is claimed");
});

test("warnings come at a minute, twenty and ten seconds, and none that has passed", () => {
  expect(warningsFor(90_000)).toEqual([
    { seconds: 60, inMs: 30_000 },
    { seconds: 20, inMs: 70_000 },
    { seconds: 10, inMs: 80_000 },
  ]);
  expect(warningsFor(12_000)).toEqual([{ seconds: 10, inMs: 2000 }]);
  expect(warningsFor(10_000)).toEqual([]);
  expect([90_000, 20_000, 10_001, 10_000, 0].map(urgency)).toEqual([undefined, "soon", "soon", "now", "now"]);
});
