/** The drawing of another set, in place of the board's own. */
import type { Component } from "svelte";

export interface FigureProps {
  readonly kind: number;
  /** Which gradient it is filled with: the side and the level. */
  readonly side: "black" | "white";
  readonly level: string;
}

export interface Skin {
  readonly set: string;
  /** The part of the drawing that is seen, where all of the board is. */
  readonly viewBox: string;
  /** The definitions that the others refer to, once for a page. */
  readonly Defs: Component;
  /** The parts around the squares, and over them below the marks. */
  readonly Frame: Component;
  readonly Overprint: Component;
  /** A piece that fills 100 by 100, and looks to the right where a hand turns it. */
  readonly Figure: Component<FigureProps>;
  /** The setting of an article's plate of an outline. */
  readonly Setting: Component<{ readonly outline: string }>;
}
