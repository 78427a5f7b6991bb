/** Turns are folded, and stay as they are while others follow. */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { Happening_Kind, UpdateSchema, type Update } from "@brettwerk/client/v1/sessions";
import { numbersOf, turnsOf } from "../../../../src/app/table/log/turns";

const ply = (version: number, seat: number, kind = Happening_Kind.ACTED): Update =>
  create(UpdateSchema, { version: BigInt(version), happening: { ply: version, concernedSeat: seat, kind } });

test("the plies of one seat without a pause are a turn", () => {
  const turns = turnsOf([ply(1, 0), ply(2, 0), ply(3, 1), ply(4, 0)]);
  expect(turns.map(({ seat, plies }) => [seat, plies.length])).toEqual([
    [0, 2],
    [1, 1],
    [0, 1],
  ]);
});

test("an event of the game is in no turn", () => {
  const turns = turnsOf([ply(1, 0), ply(2, 0, Happening_Kind.RESIGNED), ply(3, 0)]);
  expect(turns.map(({ seat }) => seat)).toEqual([0, undefined, 0]);
});

test("turns that have not changed are the same", () => {
  const plies = [ply(1, 0), ply(2, 1)];
  const before = turnsOf(plies);
  const after = turnsOf([...plies, ply(3, 1)], before);
  expect(after[0]).toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
  expect(turnsOf([ply(9, 0)], before)[0]).not.toBe(before[0]);
});

test("turns are counted from that in which the first began, and events of the game are none", () => {
  const turns = turnsOf([ply(5, 1), ply(6, 1), ply(7, 1, Happening_Kind.OPTIONS), ply(8, 0), ply(9, 1), ply(10, 1)]);
  expect([...numbersOf(turns, 12)]).toEqual([
    [5n, 12],
    [8n, 13],
    [9n, 14],
  ]);
});
