/** The player's own colours of squares and pieces, where they have chosen some. */
import type { Preferences } from "./preferences";
import { LEVEL_KEYS } from "./squares";

/** How much of what is off the Ground is blue for Air or green for Sub, so that levels are told apart in any colour (WEC-UI-9). */
const TINTS: Readonly<Record<string, string>> = { air: "#1f56c9", sub: "#0e8a44" };
const [INK, PAPER] = ["#16181c", "#fffdf6"];
/** Colours of a greater luminance are drawn on in ink. */
const BRIGHT = 0.2;

/** Returns the style of whatever shows squares or pieces; empty where the player has no colours of their own. */
export function paletteOf(preferences: Preferences): string {
  if (preferences.colours !== "own") return "";
  const squares = [`--light-square: ${preferences.light}`, `--dark-square: ${preferences.dark}`];
  const pieces = (["black", "white"] as const).flatMap((side) =>
    LEVEL_KEYS.flatMap((level) => {
      const tint = TINTS[level];
      const fill = tint === undefined ? preferences[side] : mixed(preferences[side], tint);
      const edge = luminance(fill) > BRIGHT ? INK : PAPER;
      return [`--wec-${side}-${level}: ${fill}`, `--wec-${side}-${level}-edge: ${edge}`];
    }),
  );
  return [...squares, ...pieces].join("; ");
}

function partsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

/** Returns the colour half way to another. */
function mixed(colour: string, other: string): string {
  const tint = partsOf(other);
  const parts = partsOf(colour).map((part, index) => Math.round((part + (tint[index] ?? part)) / 2));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Returns the relative luminance of a colour, as WCAG 2 defines it. */
export function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
