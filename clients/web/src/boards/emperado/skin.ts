/** The drawing of another set, in place of the board's own. */
import type { Component } from "svelte";

export interface SeaProps {
  /** The beginning of this drawing's ids. */
  readonly id: string;
  /** Which countries are drawn; undefined for all. */
  readonly drawn?: ReadonlySet<number>;
}

export interface ReliefProps extends SeaProps {
  /** Owners as seats plus one, by country; 0 for nobody. */
  readonly owners: readonly number[];
  readonly colours: readonly string[];
}

export interface TagProps {
  /** The size of what stands in a country, and how much of its left end is the owner's. */
  readonly width: number;
  readonly height: number;
  readonly chip: number;
  /** Whether somebody owns the country. */
  readonly owned: boolean;
  /** The same number for the same country. */
  readonly seed: number;
}

export interface Skin {
  readonly set: string;
  /** The sea, and the shores as they are seen from it. */
  readonly Sea: Component<SeaProps>;
  /** The relief on the countries, below their borders; their outlines are `…-outline-0` and so on, clip paths `…-country-0`. */
  readonly Relief: Component<ReliefProps>;
  /** The tag on which the letter and the armies of a country are written, in pixels. */
  readonly Tag: Component<TagProps>;
}
