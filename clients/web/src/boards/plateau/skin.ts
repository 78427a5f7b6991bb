/** The drawing of another set, in place of the board's own. */
import type { Component } from "svelte";
import type { Layout } from "./layout";

export interface TokenProps {
  readonly seat: number;
  readonly kind: number;
}

export interface Skin {
  readonly set: string;
  /** The definitions that the others refer to, once for all drawings of the page. */
  readonly Defs: Component;
  /** The board with its red area and its lines. */
  readonly Ground: Component<{ readonly layout: Layout }>;
  /** An army around 0 0, 10 in radius. */
  readonly Token: Component<TokenProps>;
}
