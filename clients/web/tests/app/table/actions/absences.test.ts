import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ClockSpec_Kind, type ClockSpecSchema } from "@brettwerk/client/v1/record";
import { SessionSchema, UpdateSchema, type ClockStateSchema } from "@brettwerk/client/v1/sessions";
import { claims, mayNudge } from "../../../../src/app/table/actions/absences";

const DAY = 86_400_000n;
const person = (nudged = false) => ({
  occupant: { kind: { case: "person" as const, value: { playerId: "p", name: "Ada" } } },
  nudged,
});
const computer = { occupant: { kind: { case: "computer" as const, value: { level: "easy" } } } };
const bank = { kind: ClockSpec_Kind.TOTAL, timeMs: DAY, claims: true };

function table(seats: readonly object[], clock?: MessageInitShape<typeof ClockSpecSchema>) {
  return create(SessionSchema, { seats: [...seats], ...(clock && { clock }) });
}
const update = (toAct: number[], clocks: MessageInitShape<typeof ClockStateSchema>[] = []) =>
  create(UpdateSchema, { toAct, clocks, atMs: 1000n });

test("another person whose turn it is can be reminded once, in slow games and without a clock", () => {
  expect(mayNudge(table([person(), person()]), update([1]), [0])).toBe(true);
  expect(mayNudge(table([person(), person()], { ...bank }), update([1]), [0])).toBe(true);
  expect(mayNudge(table([person(), person(true)]), update([1]), [0])).toBe(false);
  expect(mayNudge(table([person(), person()]), update([0]), [0])).toBe(false);
  expect(mayNudge(table([person(), computer]), update([1]), [0])).toBe(false);
  expect(mayNudge(table([person(), person()], { ...bank, timeMs: DAY - 1n }), update([1]), [0])).toBe(false);
  expect(mayNudge(undefined, undefined, [0])).toBe(false);
});

test("time is claimed at tables that want it, once it is up", () => {
  const clocks = [{ leftMs: 9000n }, { leftMs: 5000n, running: true }];
  const session = table([person(), person()], bank);
  expect(claims(session, update([1], clocks), [0], 2000)).toEqual({ seats: [], nextMs: 4000 });
  expect(claims(session, update([1], clocks), [0], 6000)).toEqual({ seats: [1], nextMs: Infinity });
  expect(claims(session, update([1], clocks), [1], 6000)).toEqual({ seats: [], nextMs: Infinity });
  const away = [clocks[0] ?? {}, { leftMs: 5000n, running: true, vacationUntilMs: 7000n }];
  expect(claims(session, update([1], away), [0], 6000)).toEqual({ seats: [], nextMs: 6000 });
  expect(claims(table([person(), person()], { ...bank, claims: false }), update([1], clocks), [0], 6000).seats).toEqual(
    [],
  );
});
