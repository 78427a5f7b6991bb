import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { OutcomeSchema } from "@brettwerk/client/v1/games";
import { HintSchema } from "@brettwerk/client/v1/play";
import { UpdateSchema } from "@brettwerk/client/v1/sessions";
import { chanceOf, curve, mistakes, positions, type Answer } from "../../../../src/app/table/review/chances";

const stop = (version: bigint, toAct: number[], notation = "", concernedSeat?: number) =>
  create(UpdateSchema, {
    version,
    toAct,
    happening: { notation, ...(concernedSeat !== undefined && { concernedSeat }) },
  });
const hint = (notation: string, winChance: number) => create(HintSchema, { action: { notation }, winChance });

// The start, a move of the first seat, one of the second, and the end.
const stops = [stop(3n, [0]), stop(4n, [1], "a", 0), stop(6n, [0], "b", 1), stop(7n, [], "c", 0)];
const answers = new Map<bigint, Answer>([
  [3n, { version: 3n, chance: 0.6, hints: [hint("x", 0.6), hint("a", 0.4)] }],
  [4n, { version: 4n, chance: 0.7, hints: [hint("y", 0.7), hint("b", 0.3)] }],
  [6n, { version: 6n, chance: 0.9, hints: [hint("c", 0.9)] }],
]);
const answer = (version: bigint) => answers.get(version);

test("every position but the last is worth asking about", () => {
  const [start, ...plies] = stops;
  expect(positions(start, plies).map((each) => each.version)).toEqual([3n, 4n, 6n]);
  expect(positions(undefined, [])).toEqual([]);
});

test("of two seats one has the chances that the other has not, of more nothing is known", () => {
  const found: Answer = { version: 1n, chance: 0.3, hints: [] };
  expect(chanceOf(found, 0, 0, [0, 1])).toBe(0.3);
  expect(chanceOf(found, 1, 0, [0, 1])).toBe(0.7);
  expect(chanceOf(found, 1, 0, [0, 1, 2])).toBeUndefined();
});

test("partners have the same chances, and their opponents what these have not", () => {
  const found: Answer = { version: 1n, chance: 0.3, hints: [] };
  expect([0, 1, 2, 3].map((seat) => chanceOf(found, 0, seat, [0, 1, 0, 1]))).toEqual([0.3, 0.7, 0.3, 0.7]);
});

test("the curve of an alliance's victory ends at 1 for both partners, and at 0 for the others", () => {
  const outcome = create(OutcomeSchema, {
    winners: [0, 2],
    places: [1, 3, 1, 3],
    scores: [0.5, 0, 0.5, 0],
    sides: [0, 1, 0, 1],
  });
  expect([0, 1, 2, 3].map((seat) => curve(stops, answer, seat, 4, outcome).at(-1)?.chance)).toEqual([1, 0, 1, 0]);
  expect(curve(stops, answer, 2, 4, outcome).map((point) => point.chance.toFixed(1))).toEqual([
    "0.6",
    "0.3",
    "0.9",
    "1.0",
  ]);
});

test("the curve runs from the start to the result", () => {
  const outcome = create(OutcomeSchema, { scores: [1, 0] });
  const points = curve(stops, answer, 0, 2, outcome);
  expect(points.map((point) => point.ply)).toEqual([0, 1, 2, 3]);
  expect(points.map((point) => point.chance.toFixed(1))).toEqual(["0.6", "0.3", "0.9", "1.0"]);
});

test("a curve of which nothing is known is empty", () => {
  expect(curve(stops, () => undefined, 0, 2, create(OutcomeSchema, { scores: [1, 0] }))).toEqual([]);
});

test("the dearest moves come first, each with its position and the better move", () => {
  const found = mistakes(stops, answer, 5);
  expect(found.map(({ ply, seat, best, before }) => ({ ply, seat, best: best?.notation, before }))).toEqual([
    { ply: 2, seat: 1, best: "y", before: 4n },
    { ply: 1, seat: 0, best: "x", before: 3n },
  ]);
  expect(mistakes(stops, answer, 1)).toHaveLength(1);
});

test("a move that the computer did not look at cost what the position after it has less, where there is no chance", () => {
  const unseen = new Map(answers).set(4n, { version: 4n, chance: 0.7, hints: [hint("y", 0.7)] });
  const costs = (sides?: number[]) => mistakes(stops, (version) => unseen.get(version), 5, sides).map(({ ply }) => ply);
  expect(costs()).toEqual([1]);
  expect(costs([0, 1])).toEqual([2, 1]);
  expect(costs([0, 1, 2])).toEqual([1]);
  const close = new Map(unseen).set(6n, { version: 6n, chance: 0.35, hints: [hint("c", 0.35)] });
  expect(mistakes(stops, (version) => close.get(version), 5, [0, 1]).map(({ ply }) => ply)).toEqual([1]);
});
