import { Series_Points } from "@brettwerk/client/v1/series";
import { expect, test } from "vitest";
import { countingText, seriesText } from "../../../src/app/tournaments/series_text";

test("a series is described by how often it is, how many tournaments it has, and which of them count", () => {
  expect(seriesText({ everyDays: 7, count: 10, best: 0 })).toBe("Every week · 10 tournaments");
  expect(seriesText({ everyDays: 14, count: 6, best: 4 })).toBe("Every 14 days · 6 tournaments · the best 4 count");
  expect(seriesText({ everyDays: 1, count: 4, best: 4 })).toBe("Every day · 4 tournaments");
});

test("a tournament counts its points, or points by place", () => {
  expect(countingText(Series_Points.SUM)).toBe("A tournament counts the points made in it");
  expect(countingText(Series_Points.PLACES)).toContain("25, 18, 15");
});
