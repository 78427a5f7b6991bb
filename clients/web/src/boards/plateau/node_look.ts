/** How a node and what is drawn over the board look. */
import type { Army } from "./armies";

export interface NodeLook {
  readonly node: number;
  /** The army that stands there. */
  readonly army?: Army;
  /** The words spoken for it. */
  readonly label: string;
  /** An army that may be chosen, the one that is moving, or where it can go. */
  readonly mark?: "candidate" | "moving" | "target" | "capture";
  /** The fewest steps to a target, and whether there are other numbers of steps. */
  readonly steps?: string;
  readonly several?: boolean;
  /** Whether it is a target among many, of which others are drawn first. */
  readonly quiet?: boolean;
  /** Whether its army can be dragged. */
  readonly movable: boolean;
  /** The seat whose base it is, and whether that has fallen. */
  readonly base?: number;
  readonly fallen?: boolean;
  /** Whether its army has moved in the running turn. */
  readonly rests?: boolean;
  /** The place of the node in a way that is being drawn. */
  readonly drawn?: boolean;
}

/** Tells whether there is something to be drawn at a node beside what stands there. */
export function isMarked({ mark, base, drawn }: NodeLook): boolean {
  return mark !== undefined || base !== undefined || drawn === true;
}

/** A way over the board. */
export interface Arrow {
  readonly key: string;
  readonly path: readonly number[];
  readonly look: "preview" | "made" | "advised" | "threat";
  /** The seat that went it. */
  readonly seat?: number;
  /** Whether there is a better one. */
  readonly faint?: boolean;
  /** The text at its end. */
  readonly text?: string;
}
