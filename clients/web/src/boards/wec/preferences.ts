/** A player's settings for this board; kept on the device (WEC-UI-10). */

import { MOTIONS, type Motion } from "./motion";

/** The palettes of the squares. */
export const COLOURS = ["wood", "slate", "paper"] as const;

/** The colours of squares and of the sides' pieces where the player chooses them, before they have. */
const OWN = { light: "#ecdfc4", dark: "#c9b58d", black: "#2d3138", white: "#fbf6ea" };
export const OWN_COLOURS = ["light", "dark", "black", "white"] as const;
const COLOUR = /^#[\da-f]{6}$/i;

export interface Preferences {
  /** Whether pieces are drawn as plain shapes with their codes. */
  readonly simple: boolean;
  /** Whether the small boards of the levels are left out ("big board only"). */
  readonly big: boolean;
  /** Whether squares with reinforcements are marked. */
  readonly reserves: boolean;
  /** Whether it is marked where enemy pieces went out of sight. */
  readonly marks: boolean;
  /** Whether pieces throw shadows. */
  readonly shadows: boolean;
  /** How much is animated (WEC-UI-16). */
  readonly motion: Motion;
  /** The palette of the squares; "own" for the player's own colours of squares and pieces. */
  readonly colours: (typeof COLOURS)[number] | "own";
  readonly light: string;
  readonly dark: string;
  readonly black: string;
  readonly white: string;
}

/** Returns what was kept, the original of everything that is missing or cannot be right. */
export function readPreferences(kept: Readonly<Record<string, unknown>>): Preferences {
  const is = (key: string, otherwise: boolean): boolean => {
    const value = kept[key];
    return typeof value === "boolean" ? value : otherwise;
  };
  const colour = (key: keyof typeof OWN): string => {
    const value = kept[key];
    return typeof value === "string" && COLOUR.test(value) ? value : OWN[key];
  };
  return {
    simple: is("simple", false),
    big: is("big", false),
    reserves: is("reserves", true),
    marks: is("marks", true),
    shadows: is("shadows", true),
    motion: isMotion(kept["motion"]) ? kept["motion"] : "full",
    colours: kept["colours"] === "own" ? "own" : (COLOURS.find((each) => each === kept["colours"]) ?? "wood"),
    light: colour("light"),
    dark: colour("dark"),
    black: colour("black"),
    white: colour("white"),
  };
}

/** Tells whether something names an amount of animation. */
export function isMotion(value: unknown): value is Motion {
  return typeof value === "string" && Object.hasOwn(MOTIONS, value);
}
