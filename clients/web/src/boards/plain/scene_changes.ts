/** The changes from one scene to the next: where the last move was. */
import type { Narration, Place, Scene, Thing } from "@brettwerk/client/v1/games";

/** Marks are of use where they tell places apart: more than these, or this share of all places, are a new deal and no move. */
const FEW = 4;
const SHARE = 1 / 3;

const signOf = (thing: Thing): string =>
  [thing.ownerSeat ?? "", thing.shape, thing.count, thing.mark, thing.label?.key ?? ""].join("\t");
const contentOf = (place: Place): string => place.things.map(signOf).join("\n");

/**
 * Returns the names of the places that are marked as the last move: those that the game names where it tells what has happened, else
 * those where something else lies now; none where nearly all of it does.
 */
export function movedPlaces(
  before: Scene | undefined,
  after: Scene,
  narrations: readonly Narration[],
): ReadonlySet<string> {
  if (narrations.length > 0 || before === undefined) return new Set(narrations.flatMap(({ places }) => places));
  const known = new Map(before.places.map((place) => [place.name, contentOf(place)]));
  const changed = after.places.filter((place) => (known.get(place.name) ?? "") !== contentOf(place));
  return new Set(changed.length <= Math.max(FEW, after.places.length * SHARE) ? changed.map(({ name }) => name) : []);
}
