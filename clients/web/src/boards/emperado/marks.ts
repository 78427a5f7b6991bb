/** Marks that the board draws on countries besides their armies. */

/** An army may be placed here or it may act, it acts, or what can be done to it. */
export type Mark = "candidate" | "moving" | "target" | "capture";

/** An arrow for what was done, or is about to be. */
export interface Arrow {
  readonly source: number;
  readonly target: number;
  readonly kind: "captured" | "repelled" | "moved" | "planned";
  /** The seat that did it. */
  readonly seat: number;
}

/** How a country was touched. */
export interface Press {
  readonly right: boolean;
  readonly shift: boolean;
  /** By a finger, which cannot point before it presses. */
  readonly finger: boolean;
}

/** The contents of the countries, and what is said of them. */
export interface BoardMarks {
  /** By country: the owner's seat plus one, 0 for a white one. */
  readonly owners: readonly number[];
  readonly armies: readonly number[];
  readonly stars: ReadonlySet<number>;
  readonly blocked: ReadonlySet<number>;
  readonly marks: ReadonlyMap<number, Mark>;
  /** The seats' letters. */
  readonly letters: readonly string[];
  readonly colours: readonly string[];
  /** The only seat whose armies are shown; undefined for all. */
  readonly lit: number | undefined;
}
