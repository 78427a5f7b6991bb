/** The keys that this board answers: each of them has a button, too. */
import { MODES, type Mode } from "./orders";

/** The meaning of a key. */
export type Key = { readonly mode: Mode } | "back" | "reach" | "level";

/** Returns what a stroke means on the board, where `counts` says what can be done; undefined for other strokes. */
export function keyOf(event: KeyboardEvent, counts: Readonly<Record<Mode, number>>): Key | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey) return undefined;
  const mode = MODES[Number(event.key) - 1];
  if (mode !== undefined) return counts[mode] > 0 ? { mode } : undefined;
  return ({ Escape: "back", r: "reach", R: "reach", l: "level", L: "level" } as const)[event.key];
}

/** Returns the level that is looked at after one: all, then from the top down. */
export function levelAfter(level: number | undefined): number | undefined {
  const order = [undefined, 1, 0, 2];
  return order[(order.indexOf(level) + 1) % order.length];
}
