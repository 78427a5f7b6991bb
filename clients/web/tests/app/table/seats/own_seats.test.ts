/** A player's own seats in a game. */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { SessionSchema } from "@brettwerk/client/v1/sessions";
import { ownSeats } from "../../../../src/app/table/seats/own_seats";

const person = (playerId: string) => ({ occupant: { kind: { case: "person" as const, value: { playerId } } } });
const computer = (keptFor: string) => ({
  occupant: { kind: { case: "computer" as const, value: { level: "easy" } } },
  keptFor,
});

const session = create(SessionSchema, {
  seats: [person("ada"), computer("ada"), computer("ben"), computer(""), { keptFor: "ada" }],
});

test("a seat that was handed to a computer stays its player's", () => {
  expect(ownSeats(session, "ada")).toEqual([0, 1]);
  expect(ownSeats(session, "ben")).toEqual([2]);
});

test("a caller without a player has no seat", () => {
  expect(ownSeats(session, "")).toEqual([]);
  expect(ownSeats(session, undefined)).toEqual([]);
  expect(ownSeats(undefined, "ada")).toEqual([]);
});
