import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { OutcomeSchema } from "@brettwerk/client/v1/games";
import {
  chanceAtEnd,
  placesOf,
  ranked,
  verdict,
  winnersOf,
  type Words,
} from "../../../../src/app/table/result/outcome";

const outcome = (fields: { winners?: number[]; places?: number[]; scores: number[]; sides?: number[] }) =>
  create(OutcomeSchema, fields);
const six = outcome({ winners: [3], places: [5, 2, 6, 1, 3, 3], scores: [0, 0, 0, 1, 0, 0] });
const alliance = outcome({ winners: [0, 2], places: [1, 3, 1, 3], scores: [0.5, 0, 0.5, 0], sides: [0, 1, 0, 1] });
const drawn = outcome({ places: [1, 1, 4, 1], scores: [1 / 3, 1 / 3, 0, 1 / 3] });
const words: Words = {
  t: (key, args = {}) => [key, ...Object.values(args)].join(" "),
  seatName: (seat) => "ABCDEF"[seat] ?? "",
  list: (names) => names.join("+"),
};
const said = (ended: typeof six, ...mine: number[]): string => verdict(ended, mine, words);

test("the seats of six stand from the first to the last, and those who share a place side by side", () => {
  expect(ranked(six).map(({ seat, place }) => `${place} ${"ABCDEF"[seat] ?? ""}`)).toEqual([
    "1 D",
    "2 B",
    "3 E",
    "3 F",
    "5 A",
    "6 C",
  ]);
});

test("a victory of partners is theirs together, and no draw", () => {
  expect(said(alliance)).toBe("result.winners A+C");
  expect(said(alliance, 2)).toBe("result.won.with A");
  expect(said(alliance, 1)).toBe("result.lost");
  expect(said(alliance, 0, 2)).toBe("result.winners A+C");
  expect([0, 1, 2, 3].map((seat) => chanceAtEnd(alliance, seat))).toEqual([1, 0, 1, 0]);
});

test("one winner is told to themselves, to the others and to those who watch", () => {
  expect(said(six, 3)).toBe("result.won");
  expect(said(six, 1)).toBe("result.lost");
  expect(said(six)).toBe("result.winner D");
  expect(said(six, 0, 1)).toBe("result.winner D");
});

test("it is a draw when nobody has won, also when somebody is out", () => {
  expect(said(drawn)).toBe("result.draw");
  expect(said(drawn, 2)).toBe("result.draw");
  expect(chanceAtEnd(drawn, 2)).toBe(0);
  expect(chanceAtEnd(drawn, 0)).toBeCloseTo(1 / 3);
});

test("a draw of two sides leaves each of the partners half a chance", () => {
  const ended = outcome({ places: [1, 1, 1, 1], scores: [0.25, 0.25, 0.25, 0.25], sides: [0, 1, 0, 1] });
  expect(chanceAtEnd(ended, 3)).toBe(0.5);
});

test("where a server tells scores only, winner and places follow from them", () => {
  const won = outcome({ scores: [0, 1] });
  expect([winnersOf(won), placesOf(won), said(won, 1)]).toEqual([[1], [2, 1], "result.won"]);
  const half = outcome({ scores: [0.5, 0.5] });
  expect([winnersOf(half), placesOf(half), said(half, 1)]).toEqual([[], [1, 1], "result.draw"]);
  expect(chanceAtEnd(half, 0)).toBe(0.5);
  expect(chanceAtEnd(half, 2)).toBeUndefined();
});
