/** The events at a table, as boards receive them. */
import { Happening_Kind, type Update } from "@brettwerk/client/v1/sessions";
import { unpack } from "../../../api/registry";
import type { Around } from "../../../boards/board";

/** The maximum number of plies that a board receives. */
const MAX_PLIES = 600;

const known = new WeakMap<Update, readonly unknown[]>();

/** Returns the events of an update as messages; the same list whenever it is asked. */
export function eventsOf(update: Update): readonly unknown[] {
  let events = known.get(update);
  if (events === undefined) {
    events = update.happening?.events.map((event) => unpack(event)) ?? [];
    known.set(update, events);
  }
  return events;
}

/** Returns the events of the plies that led to `version`; before the first ply those of the start of the game. */
export function recentOf(
  plies: readonly Update[],
  updates: readonly Update[],
  version: bigint,
): (readonly unknown[])[] {
  const until = before(plies, version);
  const near = plies.slice(Math.max(0, until - MAX_PLIES), until);
  const start =
    until <= MAX_PLIES ? updates.find((each) => each.happening?.kind === Happening_Kind.STARTED) : undefined;
  return [...(start !== undefined && start.version <= version ? [start] : []), ...near].map(eventsOf);
}

/** Returns the events of the plies that led to `version`, and of those after it: of as many each as a board receives. */
export function aroundOf(plies: readonly Update[], version: bigint): Around {
  const until = before(plies, version);
  return {
    led: plies.slice(Math.max(0, until - MAX_PLIES), until).map(eventsOf),
    follow: plies.slice(until, until + MAX_PLIES).map(eventsOf),
  };
}

/** Returns how many of the updates, which are in order, are not newer than `version`. */
export function before(updates: readonly Update[], version: bigint): number {
  let [low, high] = [0, updates.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((updates[middle]?.version ?? 0n) <= version) low = middle + 1;
    else high = middle;
  }
  return low;
}
