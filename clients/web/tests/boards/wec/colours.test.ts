/** Pieces stand out from the squares, by day and by night, in every palette (WCAG 2.2, 1.4.11: at least 3 to 1). */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { paletteOf } from "../../../src/boards/wec/palette";
import { COLOURS, readPreferences } from "../../../src/boards/wec/preferences";
import { LEVEL_KEYS } from "../../../src/boards/wec/squares";

/** Returns the colours that a sheet names, by day and by night. */
const coloursIn = (path: string, prefix: string): [string, string[]][] =>
  [...readFileSync(path, "utf8").matchAll(/--wec-([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map(
    ([, name = "", day = "", night = ""]) => [`${prefix}${name}`, [day, night]],
  );
const SET = "cabinet-wood";
const tokens = new Map([
  ...coloursIn("src/boards/wec/colours.css", ""),
  ...coloursIn("src/boards/wec/cabinet/colours.css", "cabinet-"),
]);
const LEAST = 3;

function colour(name: string, theme: number): string {
  const found = tokens.get(name)?.[theme];
  if (found === undefined) throw new Error(`there is no colour ${name}`);
  return found;
}

/** Returns the relative luminance of a colour, as WCAG 2 defines it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const squares = [...COLOURS, SET].flatMap((palette) => [`${palette}-light`, `${palette}-dark`]);
const themes = [
  ["day", 0],
  ["night", 1],
] as const;

test("contrast is that of WCAG", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

test.each(themes)("by %s the body of black pieces stands out, and that of white ones or its edge", (_, theme) => {
  for (const level of LEVEL_KEYS) {
    for (const square of squares) {
      const on = colour(square, theme);
      expect(contrast(colour(`black-${level}`, theme), on), `black ${level} on ${square}`).toBeGreaterThanOrEqual(
        LEAST,
      );
      const white = [`white-${level}`, `white-${level}-edge`].map((name) => contrast(colour(name, theme), on));
      expect(Math.max(...white), `white ${level} on ${square}`).toBeGreaterThanOrEqual(LEAST);
    }
  }
});

test("by night the body of white pieces on the Ground stands out, too", () => {
  for (const square of squares)
    expect(contrast(colour("white-ground", 1), colour(square, 1)), square).toBeGreaterThanOrEqual(LEAST);
});

test.each(themes)("by %s the sides differ, and so do a body and its edge", (_, theme) => {
  for (const level of LEVEL_KEYS) {
    expect(contrast(colour(`black-${level}`, theme), colour(`white-${level}`, theme))).toBeGreaterThanOrEqual(LEAST);
    for (const side of ["black", "white"]) {
      const edge = colour(`${side}-${level}-edge`, theme);
      expect(contrast(colour(`${side}-${level}`, theme), edge)).toBeGreaterThanOrEqual(LEAST);
    }
  }
});

test("pieces in a player's own colours have edges that stand out from them, and levels that are told apart", () => {
  for (const black of ["#000000", "#2d3138", "#808080", "#ff8800", "#ffffff"]) {
    const style = paletteOf(readPreferences({ colours: "own", black }));
    const found = new Map(
      [...style.matchAll(/--([\w-]+): (#\w{6})/g)].map(([, name = "", value = ""]) => [name, value]),
    );
    const fills = LEVEL_KEYS.map((level) => found.get(`wec-black-${level}`) ?? "");
    expect(fills[0]).toBe(black);
    expect(new Set(fills).size).toBe(LEVEL_KEYS.length);
    for (const [index, fill] of fills.entries())
      expect(contrast(fill, found.get(`wec-black-${LEVEL_KEYS[index] ?? ""}-edge`) ?? "")).toBeGreaterThan(LEAST);
  }
  expect(paletteOf(readPreferences({ black: "#ff0000" }))).toBe("");
});
