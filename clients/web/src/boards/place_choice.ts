/** Choosing an action by touching places: every touch leaves fewer actions, until one is left. */
import type { Choice } from "./board";

/** The choices left after some touches. */
export interface Narrowed {
  /** The places touched so far. */
  readonly picked: readonly string[];
  /** The actions that go on from there. */
  readonly choices: readonly Choice[];
  /** The places that may be touched next. */
  readonly next: ReadonlySet<string>;
  /** The actions that are named completely by what was touched; more than one when places do not tell them apart. */
  readonly complete: readonly Choice[];
}

/** Returns what is left of `choices` after `picked` was touched, place by place. */
export function narrow(choices: readonly Choice[], picked: readonly string[]): Narrowed {
  const left = choices.filter((choice) => picked.every((place, index) => choice.places[index] === place));
  const next = new Set<string>();
  for (const { places } of left) {
    const place = places[picked.length];
    if (place !== undefined) next.add(place);
  }
  return { picked, choices: left, next, complete: left.filter((choice) => choice.places.length === picked.length) };
}

/**
 * Returns what is left when `place` is touched next.
 *
 * A place that goes on is added; the last place touched again is taken back; any other place starts again, with itself where an
 * action begins there.
 */
export function touch(choices: readonly Choice[], now: Narrowed, place: string): Narrowed {
  if (now.next.has(place)) return narrow(choices, [...now.picked, place]);
  if (now.picked.at(-1) === place) return narrow(choices, now.picked.slice(0, -1));
  const afresh = narrow(choices, [place]);
  return afresh.choices.length > 0 ? afresh : narrow(choices, []);
}

/** Returns what is left when every step that leaves no decision is taken, up to `most` places. */
export function follow(choices: readonly Choice[], now: Narrowed, most: number): Narrowed {
  let reached = now;
  while (reached.picked.length < most && reached.next.size === 1 && reached.complete.length === 0) {
    reached = narrow(choices, [...reached.picked, ...reached.next]);
  }
  return reached;
}
