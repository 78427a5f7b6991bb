/** What the board draws on countries besides their armies. */

/** An army may be placed here or it may act, it acts, or what can be done to it. */
export type Mark = "candidate" | "moving" | "target" | "capture";

/** An arrow for what was done, or is about to be. */
export interface Arrow {
  readonly source: number;
  readonly target: number;
  readonly kind: "captured" | "repelled" | "moved" | "planned";
  /** Who did it. */
  readonly seat: number;
}

/** How a country was touched. */
export interface Press {
  readonly right: boolean;
  readonly shift: boolean;
  /** By a finger, which cannot point before it presses. */
  readonly finger: boolean;
}
