/** What another set draws instead of the board's own drawing. */
import type { Component } from "svelte";

export interface FigureProps {
  readonly kind: number;
  /** Which gradient it is filled with: the side and the level. */
  readonly side: "black" | "white";
  readonly level: string;
}

export interface Skin {
  readonly set: string;
  /** What of the drawing is seen, where all of the board is. */
  readonly viewBox: string;
  /** What the others refer to, once for a page. */
  readonly Defs: Component;
  /** What lies around the squares, and over them below the marks. */
  readonly Frame: Component;
  readonly Overprint: Component;
  /** A piece that fills 100 by 100, and looks to the right where a hand turns it. */
  readonly Figure: Component<FigureProps>;
  /** What an article's plate of an outline is set in. */
  readonly Setting: Component<{ readonly outline: string }>;
}
