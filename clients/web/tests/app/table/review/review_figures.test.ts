/** A review's figures of a whole game. */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { OutcomeSchema } from "@brettwerk/client/v1/games";
import { HintSchema } from "@brettwerk/client/v1/play";
import { Happening_Kind, UpdateSchema, type Update } from "@brettwerk/client/v1/sessions";
import type { Answer } from "../../../../src/app/table/review/chances";
import { figuresOf, type Played } from "../../../../src/app/table/review/review_figures";

const stop = (version: number, seat: number, notation: string, toAct: readonly number[]): Update =>
  create(UpdateSchema, {
    version: BigInt(version),
    toAct: [...toAct],
    happening: { kind: Happening_Kind.ACTED, ply: version - 1, concernedSeat: seat, notation },
  });
const hint = (notation: string, winChance: number) => create(HintSchema, { action: { notation }, winChance });
const answer = (version: number, chance: number, hints: Answer["hints"]): [bigint, Answer] => [
  BigInt(version),
  { version: BigInt(version), chance, hints },
];

const played: Played = {
  start: create(UpdateSchema, { version: 1n, toAct: [0] }),
  plies: [stop(2, 0, "a", [1]), stop(3, 1, "b", [])],
  seats: 2,
  outcome: create(OutcomeSchema, { scores: [1, 0], winners: [0], places: [1, 2] }),
};
const first = answer(1, 0.5, [hint("x", 0.6), hint("a", 0.5)]);
const second = answer(2, 0.3, [hint("b", 0.3)]);

test("every seat has a curve, which ends with what came of it", () => {
  const { curves } = figuresOf(played, new Map([first, second]));
  expect(curves.map((points) => points.map(({ chance }) => Number(chance.toFixed(2))))).toEqual([
    [0.5, 0.7, 1],
    [0.5, 0.3, 0],
  ]);
});

test("luck and choices are told only when everything has been answered", () => {
  expect(figuresOf(played, new Map([first]))).toMatchObject({ asked: [1n, 2n], known: 1, sums: [] });
  const { sums } = figuresOf(played, new Map([first, second]));
  expect(sums.map(({ choice }) => Number(choice.toFixed(2)))).toEqual([-0.1, 0]);
});
