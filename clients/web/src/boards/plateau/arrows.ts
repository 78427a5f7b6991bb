/** The arrows over the board: moves that were made, and moves that somebody advises. */
import type { PlateauAction } from "@brettwerk/client/v1/plateau";
import type { Advice } from "../board";
import { percent } from "../chance";
import type { Arrow } from "./node_look";
import type { Made } from "./moves";
import { wayOf, type Ground } from "./ways";

/** Most pieces of advice that are drawn. */
const MAX_ADVISED = 3;

const drawn = new WeakMap<readonly number[], Arrow>();

/** Returns moves as arrows that are numbered in their order. One that is drawn already is the same object. */
export function madeArrows(moves: readonly Made[], key: string): Arrow[] {
  return moves.map(({ seat, path }, index) => {
    const before = drawn.get(path);
    const arrow: Arrow = { key: `${key} ${index}`, path, look: "made", seat, text: String(index + 1) };
    if (before?.key === arrow.key && before.seat === seat) return before;
    drawn.set(path, arrow);
    return arrow;
  });
}

/** A move that is advised, or the end of the turn, which has no way. */
interface Advised {
  readonly chance: number;
  readonly path: readonly number[];
  readonly steps: number;
}

/** Returns the moves of the best pieces of advice, each on a way; straight across where none was found. */
export function advisedMoves(advice: readonly Advice[], ground: Ground): Advised[] {
  return advice.slice(0, MAX_ADVISED).flatMap(({ action, chance }): Advised[] => {
    const kind = (action as PlateauAction | undefined)?.kind;
    if (kind?.case === "endTurn") return [{ chance, path: [], steps: 0 }];
    if (kind?.case !== "move") return [];
    const { source, target, steps, path } = kind.value;
    const way = path.length > 1 ? path : (wayOf(ground, source, target, steps) ?? [source, target]);
    return [{ chance, path: way, steps }];
  });
}

/** Returns advised moves as arrows, the best one last, over the others, with its chance to win. */
export function advisedArrows(advised: readonly Advised[]): Arrow[] {
  return advised
    .flatMap(({ path, chance }, index): Arrow[] => {
      if (path.length === 0) return [];
      const key = `advised ${index}`;
      return index > 0
        ? [{ key, path, look: "advised", faint: true }]
        : [{ key, path, look: "advised", text: percent(chance) }];
    })
    .reverse();
}
