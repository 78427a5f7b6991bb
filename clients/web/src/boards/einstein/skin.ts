/** The drawing of another set, in place of the board's own. */
import type { Component } from "svelte";

export interface StoneProps {
  readonly seat: number;
  readonly number: number;
  /** Whether it is held above the board. */
  readonly lifted?: boolean;
}

export interface Skin {
  readonly set: string;
  /** The part of the drawing that is seen. */
  readonly viewBox: string;
  /** The definitions that the others refer to, once for a drawing. */
  readonly Defs: Component;
  /** The board below the marks. */
  readonly Ground: Component;
  /** A stone with its number, in a square of 100 by 100. */
  readonly Stone: Component<StoneProps>;
}
