import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { Reason, RefusalSchema } from "@brettwerk/client/v1/errors";
import { PairingSchema, Tournament_Kind, TournamentSchema } from "@brettwerk/client/v1/tournaments";
import {
  durationText,
  isClosed,
  pointsText,
  progressText,
  refusalWords,
  roundText,
  seatsOf,
} from "../../../src/app/tournaments/tournament_text";

test("points are written with halves, and quarters as decimals of the language", () => {
  expect([0, 0.5, 1, 2.5].map((points) => pointsText(points, "en"))).toEqual(["0", "½", "1", "2½"]);
  expect(pointsText(4.25, "en")).toBe("4.25");
  expect(pointsText(4.25, "de")).toBe("4,25");
});

test("a refusal says what is wrong with the tournament", () => {
  const refusal = (reason: Reason, details: Record<string, string>, field = ""): string =>
    refusalWords(create(RefusalSchema, { reason, details, field, message: "not in words" }));
  expect(refusal(Reason.TOURNAMENT, { tournament: "too_few" })).toContain("two players");
  expect(refusal(Reason.FULL, { bound: "players" })).toContain("full");
  expect(refusal(Reason.MALFORMED, {}, "clock")).toContain("clock");
  expect(refusal(Reason.WORD_NOT_ALLOWED, { word: "dummkopf" }, "name")).toContain("dummkopf");
  expect(refusal(Reason.TOURNAMENT, { tournament: "of a newer server" })).not.toBe("");
});

test("the last rounds of a knock-out have names, and all others numbers", () => {
  const names = (kind: Tournament_Kind, groupRounds = 0): string[] =>
    [1, 2, 3, 4].map((round) => roundText(round, { kind, rounds: 4, groupRounds }));
  expect(names(Tournament_Kind.KNOCK_OUT)).toEqual(["Round 1", "Quarter-finals", "Semi-finals", "Final"]);
  expect(names(Tournament_Kind.GROUPS, 3)).toEqual(["Round 1", "Round 2", "Round 3", "Final"]);
  expect(names(Tournament_Kind.SWISS)).toEqual(["Round 1", "Round 2", "Round 3", "Round 4"]);
});

test("those at a table come in turn order with their points, and a bye seats one", () => {
  const table = { first: 3, second: 1, others: [4], firstPoints: 2, secondPoints: 0.5, otherPoints: [0.5] };
  expect(seatsOf(create(PairingSchema, table))).toEqual([
    { number: 3, points: 2 },
    { number: 1, points: 0.5 },
    { number: 4, points: 0.5 },
  ]);
  expect(seatsOf(create(PairingSchema, { first: 2, firstPoints: 1 }))).toEqual([{ number: 2, points: 1 }]);
});

test("an arena lasts minutes or hours, and says until when it goes on instead of its round", () => {
  expect([1200, 5400, 7200, 9000, 86400].map(durationText)).toEqual([
    "20 minutes",
    "90 minutes",
    "2 hours",
    "150 minutes",
    "24 hours",
  ]);
  const endsAtMs = BigInt(Date.UTC(2027, 0, 1));
  const arena = create(TournamentSchema, { kind: Tournament_Kind.ARENA, endsAtMs, round: 1, rounds: 1 });
  expect(progressText(arena)).toMatch(/^until .*202/);
  const swiss = create(TournamentSchema, { kind: Tournament_Kind.SWISS, round: 2, rounds: 5 });
  expect(progressText(swiss)).toBe("Round 2 of 5");
});

test("an arena begins no games for half of the clock's time, at least half a minute and at most two", () => {
  const closedS = (seconds: number): number => {
    const arena = create(TournamentSchema, { clock: { timeMs: BigInt(seconds * 1000) }, endsAtMs: 1_000_000n });
    return [...Array(1000).keys()].findLast((left) => isClosed(arena, 1_000_000 - left * 1000)) ?? 0;
  };
  expect([10, 180, 400].map(closedS)).toEqual([30, 90, 120]);
});
