/** The seats that a player may take in mid-game: those offered are those that the session service allows. */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { SessionSchema, Session_State } from "@brettwerk/client/v1/sessions";
import { mayTake } from "../../../../src/app/table/seats/takeover";

type Fields = Extract<MessageInitShape<typeof SessionSchema>, { $typeName?: never }>;
type Seat = NonNullable<Fields["seats"]>[number];

const person = (playerId: string, keptFor = ""): Seat => ({
  occupant: { kind: { case: "person", value: { playerId, name: playerId } } },
  keptFor,
});
const computer = (keptFor = ""): Seat => ({
  occupant: { kind: { case: "computer", value: { level: "easy" } } },
  keptFor,
});
const way = (seats: readonly Seat[], seat: number, fields: Fields = {}, player = "ada", created = false) =>
  mayTake(create(SessionSchema, { state: Session_State.RUNNING, ...fields, seats: [...seats] }), seat, player, created);

test("a lone player takes any computer's seat", () => {
  expect(way([person("ada"), computer(), computer()], 2)).toBe("take");
  expect(way([person("ada"), person("ada"), computer()], 2)).toBe("take");
});

test("not while another person plays, or has a seat to come back to", () => {
  expect(way([person("ada"), computer(), person("ben")], 1)).toBeUndefined();
  expect(way([person("ada"), computer(), computer("ben")], 1)).toBeUndefined();
  expect(way([person("ada"), computer(), computer("ben")], 2)).toBeUndefined();
});

test("the creator of the session takes any computer's seat without having one, as long as no other person has", () => {
  expect(way([computer(), computer()], 1, {}, "ada", true)).toBe("take");
  expect(way([computer(), person("ben")], 0, {}, "ada", true)).toBeUndefined();
  expect(way([computer(), computer("ben")], 0, {}, "ada", true)).toBeUndefined();
  expect(way([computer(), computer()], 1, { competitive: true }, "ada", true)).toBeUndefined();
});

test("a seat that is kept for the player is always to be had again", () => {
  expect(way([computer("ada"), person("ben")], 0)).toBe("back");
  expect(way([computer("ada"), person("ben")], 0, { competitive: true })).toBe("back");
});

test("not at competitive tables, not before the start, not after the end, and not by who only watches", () => {
  expect(way([person("ada"), computer()], 1, { competitive: true })).toBeUndefined();
  for (const state of [Session_State.WAITING, Session_State.PAUSED, Session_State.FINISHED]) {
    expect(way([person("ada"), computer()], 1, { state })).toBeUndefined();
  }
  expect(way([computer(), computer()], 1)).toBeUndefined();
  expect(way([person("ada"), computer()], 1, {}, "")).toBeUndefined();
  expect(way([person("ada"), computer()], 0)).toBeUndefined();
  expect(way([person("ada"), computer()], 5)).toBeUndefined();
  expect(mayTake(undefined, 0, "ada", true)).toBeUndefined();
});
