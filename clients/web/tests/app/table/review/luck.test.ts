import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { OutcomeSchema } from "@brettwerk/client/v1/games";
import { HintSchema } from "@brettwerk/client/v1/play";
import { UpdateSchema } from "@brettwerk/client/v1/sessions";
import type { Answer } from "../../../../src/app/table/review/chances";
import { sharesOf, sumsOf } from "../../../../src/app/table/review/luck";

const stop = (version: bigint, toAct: number[], notation = "", concernedSeat?: number) =>
  create(UpdateSchema, {
    version,
    toAct,
    happening: { notation, ...(concernedSeat !== undefined && { concernedSeat }) },
  });
const hint = (notation: string, winChance: number) => create(HintSchema, { action: { notation }, winChance });
const known = (...answers: Answer[]) => {
  const found = new Map(answers.map((each) => [each.version, each]));
  return (version: bigint) => found.get(version);
};

const stops = [stop(3n, [0]), stop(4n, [1], "a", 0), stop(6n, [0], "b", 1), stop(7n, [], "c", 0)];
const answer = known(
  { version: 3n, chance: 0.6, hints: [hint("x", 0.6), hint("a", 0.4)] },
  { version: 4n, chance: 0.7, hints: [hint("y", 0.7), hint("b", 0.5)] },
  { version: 6n, chance: 0.8, hints: [hint("c", 0.8)] },
);
const won = create(OutcomeSchema, { scores: [1, 0] });

test("a choice is measured against the best one, luck by what came of the choice", () => {
  const shares = sharesOf(stops, answer, 2, won);
  expect(shares.map(({ ply, seat }) => [ply, seat])).toEqual([
    [1, 0],
    [2, 1],
    [3, 0],
  ]);
  const figures = shares.map(({ choice, luck }) => [choice.toFixed(2), luck?.toFixed(2)]);
  expect(figures).toEqual([
    ["-0.20", "-0.10"],
    ["-0.20", "-0.30"],
    ["0.00", "0.20"],
  ]);
});

test("luck and choices of two seats together are the whole way from the first chance to the result", () => {
  for (const last of [0, 0.5, 1]) {
    const end = create(OutcomeSchema, { scores: [last, 1 - last] });
    const [one, other] = sumsOf(sharesOf(stops, answer, 2, end), 2);
    if (one === undefined || other === undefined) throw new Error("two seats have two sums");
    expect(one.luck + one.choice - other.choice).toBeCloseTo(last - 0.6);
    expect(one.luck).toBeCloseTo(-other.luck);
  }
});

test("where the answer belongs to another seat of many, nothing is said of luck", () => {
  const shares = sharesOf(stops, answer, 3, undefined);
  expect(shares.map((share) => share.luck)).toEqual([undefined, undefined, undefined]);
  expect(sumsOf(shares, 3).map((sum) => sum.luck)).toEqual([0, 0, 0]);
  const again = [stop(3n, [0]), stop(4n, [0], "a", 0)];
  const [share] = sharesOf(
    again,
    known({ version: 3n, chance: 0.4, hints: [hint("a", 0.4)] }, { version: 4n, chance: 0.7, hints: [] }),
    3,
    undefined,
  );
  expect(share?.luck).toBeCloseTo(0.3);
});

test("a move that the computer has no opinion on has no share", () => {
  expect(sharesOf(stops, known({ version: 3n, chance: 0.6, hints: [hint("x", 0.6)] }), 2, won)).toEqual([]);
});
