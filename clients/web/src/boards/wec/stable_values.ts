/** Values that stay the same objects while they are alike, so that only what has changed is drawn again. */

/** Returns the value of before where the new one is alike, all the way down; the new one otherwise. For plain objects and lists. */
export function stableValue<Value>(before: Value | undefined, now: Value): Value {
  return isAlike(before, now) ? (before as Value) : now;
}

/** Returns the list of before where all that is in the new one is alike; otherwise the new one with the items that are. */
export function stableList<Item>(before: readonly Item[], now: readonly Item[]): readonly Item[] {
  const kept = now.map((item, index) => stableValue(before[index], item));
  return kept.length === before.length && kept.every((item, index) => item === before[index]) ? before : kept;
}

function isAlike(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  const names = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => isAlike((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]))
  );
}
