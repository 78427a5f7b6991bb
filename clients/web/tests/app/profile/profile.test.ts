import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  GameResult,
  LeaderSchema,
  LevelRatingSchema,
  PlayKind,
  RatingPointSchema,
  type RatingPoint,
} from "@brettwerk/client/v1/profiles";
import { addressOf, isNarrow, NOTHING, readFilter, requestOf } from "../../../src/app/profile/filter";
import { plotOf, stepOf } from "../../../src/app/profile/plot";
import { weekOf, withLevels } from "../../../src/app/profile/ranking";
import { changeText, kindKey, rangeText, ratingText } from "../../../src/app/profile/rating_text";

describe("ratings in words", () => {
  test("have no fractions and no thousands, and stand with two deviations", () => {
    expect(ratingText(1543.6, "en")).toBe("1544");
    expect(ratingText(1543.6, "de")).toBe("1544");
    expect(rangeText(1543.6, 45.4, "de")).toBe("1544 ± 91");
  });

  test("change with a sign, unless it is nothing", () => {
    expect([12.4, -7.6, 0.3, -0.3].map((change) => changeText(change, "en"))).toEqual(["+12", "−8", "±0", "±0"]);
  });

  test("are of two kinds of play", () => {
    expect([PlayKind.TWO, PlayKind.MANY].map(kindKey)).toEqual(["kind.two", "kind.many"]);
  });
});

describe("a plot", () => {
  const ROOM = { width: 220, height: 120, left: 10, right: 10, top: 10, bottom: 10 };
  const point = (atMs: number, rating: number, deviation = 50): RatingPoint =>
    create(RatingPointSchema, { atMs: BigInt(atMs), rating, deviation });

  test("has points where their moments are, and the higher ones above", () => {
    const plot = plotOf([point(1000, 1500), point(1500, 1600), point(3000, 1400)], ROOM);
    const [one, two, three] = (plot?.line.slice(1).split("L") ?? []).map((each) => each.split(" ").map(Number));
    expect([one?.[0], two?.[0], three?.[0]]).toEqual([10, 60, 210]);
    expect(two?.[1]).toBeLessThan(one?.[1] ?? 0);
    expect(three?.[1]).toBeGreaterThan(one?.[1] ?? 0);
    expect(plot?.times.map(({ value }) => value)).toEqual([1000, 3000]);
  });

  test("has room for uncertainty, and round numbers at its side", () => {
    const plot = plotOf([point(1, 1500, 350), point(2, 1620, 300)], ROOM);
    const values = plot?.ratings.map(({ value }) => value) ?? [];
    expect(values).toEqual([500, 1000, 1500, 2000, 2500]);
    expect(plot?.ratings.map(({ at }) => at)).toEqual([110, 85, 60, 35, 10]);
  });

  test("of games that ended at one moment tells them apart, and one of no game is none", () => {
    const plot = plotOf([point(5, 1500), point(5, 1510)], ROOM);
    expect(plot?.line).toMatch(/^M60\.0 [\d.]+L160\.0 /);
    expect(plotOf([], ROOM)).toBeUndefined();
  });

  test("of one value has steps, too", () => {
    expect(stepOf(0)).toBeGreaterThan(0);
    expect([3, 90, 400, 700, 1200].map(stepOf)).toEqual([1, 50, 100, 200, 500]);
    expect(plotOf([point(5, 1500, 0)], ROOM)?.line).not.toContain("NaN");
  });
});

describe("a ranking", () => {
  const leader = (playerId: string, rank: number, rating: number) =>
    create(LeaderSchema, { playerId, rank, rating, name: playerId });
  const levels = [1650, 1500, 1200].map((rating) => create(LevelRatingSchema, { level: `level${rating}`, rating }));
  const shown = (...args: Parameters<typeof withLevels>): string[] =>
    withLevels(...args).map((line) => (line.kind === "player" ? line.leader.playerId : line.level.level));

  test("has computers between those who are stronger and those who are weaker, and provisional ones at its end", () => {
    const leaders = [leader("a", 1, 1700), leader("b", 2, 1500), leader("new", 0, 1900)];
    expect(shown(leaders, levels, false)).toEqual(["a", "level1650", "b", "level1500", "level1200", "new"]);
  });

  test("keeps computers back that stand behind those who are not shown yet", () => {
    expect(shown([leader("a", 1, 1700), leader("b", 2, 1550)], levels, true)).toEqual(["a", "level1650", "b"]);
    expect(shown([leader("a", 1, 1700), leader("new", 0, 1550)], levels, true)).toHaveLength(5);
  });

  test("is of all time, of this week or of the one before", () => {
    expect(["", "week", "last"].map((period) => weekOf(period, 1_000_000_000))).toEqual([
      0, 1_000_000_000, 395_200_000,
    ]);
  });
});

describe("a search", () => {
  const filter = {
    ...NOTHING,
    game: "wec",
    opponent: "Ö & Co",
    result: "lost",
    from: "2026-03-01",
    until: "2026-03-02",
  };

  test("stands in the address and is read from there", () => {
    const address = addressOf(filter);
    expect(readFilter(address.slice(address.indexOf("#")))).toEqual(filter);
    expect(addressOf(NOTHING)).toBe("/results");
    expect(isNarrow(readFilter("#nothing=x"))).toBe(false);
    expect(isNarrow(filter)).toBe(true);
  });

  test("asks for whole days of this device, the last one among them", () => {
    const { fromMs, untilMs, result, opponent } = requestOf(filter, "");
    expect(Number(fromMs)).toBe(new Date(2026, 2, 1).getTime());
    expect(Number(untilMs)).toBe(new Date(2026, 2, 3).getTime());
    expect([result, opponent]).toEqual([GameResult.LOST, "Ö & Co"]);
  });

  test("does not ask for an unreadable filter", () => {
    const { fromMs, untilMs, result } = requestOf({ ...NOTHING, from: "yesterday", result: "glorious" }, "");
    expect([fromMs, untilMs, result]).toEqual([0n, 0n, GameResult.UNSPECIFIED]);
  });
});
