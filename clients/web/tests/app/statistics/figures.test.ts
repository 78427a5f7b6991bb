import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { TallySheetSchema, type TallySheet } from "@brettwerk/client/v1/statistics";
import { figures, games, percent, wilson, type Words } from "../../../src/app/statistics/figures";

const words: Words = {
  title: (kind) => (kind === "unknown" ? undefined : `Title of ${kind}`),
  label: (_, key) => `<${key}>`,
};

function sheet(...tallies: readonly (readonly [string, string, number, number])[]): TallySheet {
  return create(TallySheetSchema, {
    seats: 2,
    tallies: tallies.map(([kind, key, all, won]) => ({ kind, key, games: BigInt(all), wins: BigInt(won) })),
  });
}

describe("figures", () => {
  const all = sheet(
    ["all", "", 100, 80],
    ["end", "R-1", 100, 80],
    ["length", "100", 30, 20],
    ["length", "20", 70, 60],
    ["seat", "1", 80, 44],
    ["seat", "0", 80, 36],
    ["unknown", "x", 1, 1],
  );

  test("stand in a fixed order, and those without a title are left out", () => {
    expect(figures(all, words).map(({ kind }) => kind)).toEqual(["seat", "length", "end"]);
  });

  test("of seats are shares of decided games, beside what would be even", () => {
    const [seats] = figures(all, words);
    expect(seats?.bars.map(({ label, share }) => [label, share])).toEqual([
      ["<0>", 0.45],
      ["<1>", 0.55],
    ]);
    expect(seats?.even).toBe(0.5);
  });

  test("of lengths are shares of all games, in the order of numbers, and have no even share", () => {
    const lengths = figures(all, words)[1];
    expect(lengths?.bars.map(({ key, share }) => [key, share])).toEqual([
      ["20", 0.7],
      ["100", 0.3],
    ]);
    expect(lengths?.even).toBeUndefined();
  });

  test("say how many games there were", () => {
    expect(games(all)).toEqual({ all: 100, decided: 80 });
    expect(games(sheet())).toEqual({ all: 0, decided: 0 });
  });
});

test("errors are two standard errors by Wilson, as in the measured statistics", () => {
  const { share, error } = wilson(314, 1000);
  expect(share).toBeCloseTo(0.314);
  expect(100 * error).toBeCloseTo(3.0, 1);
  expect(wilson(0, 0)).toEqual({ share: 0, error: 0 });
  expect(wilson(0, 50).error).toBeGreaterThan(0);
});

test("small shares have a decimal", () => {
  expect(percent(0.47, "en")).toBe("47%");
  expect(percent(0.034, "en")).toBe("3.4%");
  expect(percent(0, "en")).toBe("0%");
});
