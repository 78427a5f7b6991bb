/** Lists that stay the same objects while what is in them is alike, so that nothing is recreated from them. */

/** Returns the list of before where the new one is alike, item by item; the new one otherwise. */
export function unlessAlike<Item>(
  before: readonly Item[],
  now: readonly Item[],
  alike: (one: Item, other: Item) => boolean,
): readonly Item[] {
  const isAlike = before.length === now.length && now.every((item, index) => alike(before[index] as Item, item));
  return isAlike ? before : now;
}

/** Returns whether two objects have the same values in the same fields. */
export function hasSameFields<Fields extends object>(one: Fields, other: Fields): boolean {
  const fields = Object.entries(one);
  return (
    fields.length === Object.keys(other).length &&
    fields.every(([name, value]) => Object.is(value, other[name as keyof Fields]))
  );
}
