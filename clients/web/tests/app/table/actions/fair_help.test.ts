import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { SessionSchema, type Session } from "@brettwerk/client/v1/sessions";
import { isFair, mayFork, mayHaveHelp, othersPlay, peoplePlay } from "../../../../src/app/table/actions/fair_help";

const person = { occupant: { kind: { case: "person" as const, value: { playerId: "p", name: "Ada" } } } };
const computer = { occupant: { kind: { case: "computer" as const, value: { level: "easy" } } } };

function table(seats: readonly (typeof person | typeof computer)[], fields: Partial<Session> = {}): Session {
  return create(SessionSchema, { seats: [...seats], ...fields } as never);
}

test("a player against computers has help", () => {
  expect(mayHaveHelp(table([person, computer]), [0])).toBe(true);
});

test("people who share a device have help once it is switched on", () => {
  expect(othersPlay(table([person, person]), [0, 1])).toBe(false);
  expect(peoplePlay(table([person, person]))).toBe(true);
  expect(mayHaveHelp(table([person, person]), [0, 1])).toBe(false);
  expect(mayHaveHelp(table([person, person], { helpAgreed: true }), [0, 1])).toBe(true);
});

test("a running game is played on elsewhere only where help is allowed", () => {
  expect(mayFork(table([person, computer]), [0])).toBe(true);
  expect(mayFork(table([computer, computer]), [])).toBe(true);
  expect(mayFork(table([person, person]), [0, 1])).toBe(true);
  expect(mayFork(table([person, person]), [0])).toBe(false);
  expect(mayFork(table([person, person], { helpAgreed: true }), [0])).toBe(true);
  expect(mayFork(table([person, computer], { competitive: true }), [0])).toBe(false);
  expect(mayFork(undefined, [])).toBe(false);
});

test("people who play each other have help when they have agreed", () => {
  expect(othersPlay(table([person, person]), [0])).toBe(true);
  expect(mayHaveHelp(table([person, person]), [0])).toBe(false);
  expect(mayHaveHelp(table([person, person], { helpAgreed: true }), [0])).toBe(true);
});

test("there is no help in a competitive game, or without a seat", () => {
  expect(mayHaveHelp(table([person, computer], { competitive: true }), [0])).toBe(false);
  expect(mayHaveHelp(table([computer, computer]), [])).toBe(false);
  expect(mayHaveHelp(undefined, [])).toBe(false);
});

test("a game taken home from people who play on has help only where people agree on it", () => {
  const home = { withoutHelp: true };
  expect(isFair(table([person, computer]))).toBe(true);
  expect(mayHaveHelp(table([person, computer], home), [0])).toBe(false);
  expect(mayFork(table([person, computer], home), [0])).toBe(false);
  expect(isFair(table([person, computer], { ...home, helpAgreed: true }))).toBe(false);
  expect(mayHaveHelp(table([person, person], { ...home, helpAgreed: true }), [0])).toBe(true);
});
