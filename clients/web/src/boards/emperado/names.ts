/**
 * Where the names of countries are written: whole, on no armies and on no other name, or not at all.
 *
 * A name that is cut is no word of the player's, and cut ones cannot be told apart ("Wes." is four countries). So a name is
 * written where all of it has room, in one line or two: all sixty on every desktop, nearly all on a phone, and the nearer the map,
 * the more of them. A phone that shows the whole world has room for the names of continents. Names that matter at the moment are
 * always written on a plate above the map, and whatever is touched is one of them.
 */
import type { Box, Size } from "./pills";

/** A name where it is written, by its middle. */
export interface Written extends Box {
  readonly lines: readonly string[];
}

/** The size of the text of names, in units of the map. */
export interface Letters {
  readonly width: (line: string) => number;
  readonly height: number;
}

/** Where a compound may be broken: after a direction, or what is new. */
const COMPOUND = /^(Nordwest|Nord|Süd|Ost|West|Neu)(?=\p{Lower}{5})/u;
/** Names are set apart by more than what they measure, since letters differ. */
const TOUCHING = 0.98;

/** Returns a name as one line, and as two where it can be broken. */
export function settings(name: string): string[][] {
  const space = name.indexOf(" ");
  if (space > 0) return [[name], [name.slice(0, space), name.slice(space + 1)]];
  const first = COMPOUND.exec(name)?.[0];
  return first === undefined ? [[name]] : [[name], [`${first}-`, name.slice(first.length)]];
}

/** Returns the settings of a name with a chance behind it or below it. */
export function chanceSettings(name: string, chance: string): string[][] {
  return settings(name).flatMap((lines) => [
    [...lines.slice(0, -1), `${lines.at(-1) ?? ""} ${chance}`],
    [...lines, chance],
  ]);
}

/**
 * Returns where names are written, undefined where one is not: those first that have the fewest places.
 *
 * A name that finds no place may push one other name to another place of its own. `taken` are boxes besides the pills that no
 * name may lie on; `within` is the size of the map.
 */
export function placeNames(
  pills: readonly Box[],
  names: readonly string[],
  letters: Letters,
  { taken, within }: { taken: readonly Box[]; within: Size },
): (Written | undefined)[] {
  const blocked = [...pills, ...taken];
  const free = names.map((name, country) => {
    const places = placesOf(pills[country], settings(name), letters, within);
    return places.filter((box) => !blocked.some((other) => overlap(box, other) > 0));
  });
  const found: (Written | undefined)[] = names.map(() => undefined);
  /** Returns on which names a box would lie, besides its own. */
  const under = (box: Box, country: number): number[] =>
    [...found.keys()].filter((other) => other !== country && found[other] && overlap(box, found[other]) > 0);
  const write = (country: number): void => {
    for (const box of free[country] ?? []) {
      const [other, ...more] = under(box, country);
      if (more.length > 0) continue;
      if (other !== undefined) {
        const away = free[other]?.find((each) => overlap(each, box) === 0 && under(each, other).length === 0);
        if (away === undefined) continue;
        found[other] = away;
      }
      found[country] = box;
      return;
    }
  };
  const order = [...names.keys()].sort((one, other) => (free[one]?.length ?? 0) - (free[other]?.length ?? 0));
  for (const country of order) write(country);
  return found;
}

/** Returns where a name is written that is wanted in any case, in one of its settings: on as little as possible, rather on names than on pills. */
export function placeWanted(
  pill: Box,
  set: readonly (readonly string[])[],
  letters: Letters,
  { taken, names, within }: { taken: readonly Box[]; names: readonly (Box | undefined)[]; within: Size },
): Written | undefined {
  const lies = (box: Box): number =>
    taken.reduce((sum, other) => sum + overlap(box, other), 0) +
    names.reduce((sum, other) => sum + (other ? overlap(box, other) / 10 : 0), 0);
  return placesOf(pill, set, letters, within)
    .map((box) => ({ box, cost: lies(box) }))
    .reduce<{ box: Written; cost: number } | undefined>(
      (best, each) => (best === undefined || each.cost < best.cost ? each : best),
      undefined,
    )?.box;
}

/** How far from a sign its name may stand, in heights of letters. */
const NEAR = 4;

/**
 * Returns the nearest place of a name around a sign where it is seen and beside no other sign, undefined where there is none.
 *
 * Pills may hide this part of it, other names none.
 */
export function placeNear(
  sign: Box,
  name: string,
  letters: Letters,
  around: {
    signs: readonly Box[];
    pills: readonly Box[];
    written: readonly Box[];
    within: Size;
    hidden: number;
  },
): Written | undefined {
  const { signs, pills, written, within, hidden } = around;
  let best: { box: Written; cost: number } | undefined;
  for (const lines of settings(name)) {
    const [width, height] = [Math.max(...lines.map(letters.width)), letters.height * lines.length];
    for (let down = -NEAR; down <= NEAR; down += 0.5) {
      for (let right = -NEAR; right <= NEAR; right += 0.5) {
        const box = { x: sign.x + right * letters.height, y: sign.y + down * letters.height, width, height, lines };
        const cost = Math.hypot(right, down);
        if (!isWithin(box, within) || (best && best.cost <= cost)) continue;
        if (signs.some((other) => other !== sign && distance(box, other) <= distance(box, sign))) continue;
        if (written.some((other) => overlap(box, other) > 0)) continue;
        if (pills.reduce((sum, other) => sum + overlap(box, other), 0) <= width * height * hidden) best = { box, cost };
      }
    }
  }
  return best?.box;
}

/** Returns the places beside a pill, the best first: below and above it, then to both sides; none beyond the map. */
function placesOf(
  pill: Box | undefined,
  set: readonly (readonly string[])[],
  letters: Letters,
  within: Size,
): Written[] {
  if (pill === undefined) return [];
  const places = set.flatMap((lines) => {
    const [width, height] = [Math.max(...lines.map(letters.width)), letters.height * lines.length];
    const down = (pill.height + height) / 2;
    const right = (pill.width + width) / 2;
    const aside = Math.abs(pill.width - width) / 2;
    return [
      [0, down],
      [0, -down],
      [right, 0],
      [-right, 0],
      [aside, down],
      [-aside, down],
      [aside, -down],
      [-aside, -down],
      [aside / 2, down],
      [-aside / 2, down],
      [aside / 2, -down],
      [-aside / 2, -down],
      [right, down / 2],
      [-right, down / 2],
      [right, -down / 2],
      [-right, -down / 2],
      [right, down],
      [-right, down],
      [right, -down],
      [-right, -down],
    ].map(([x = 0, y = 0]) => ({ x: pill.x + x, y: pill.y + y, width, height, lines }));
  });
  return places.filter((box) => isWithin(box, within));
}

/** Returns how far a box is from the middle of another one. */
function distance(box: Box, { x, y }: Box): number {
  return Math.hypot(
    Math.max(0, Math.abs(box.x - x) - box.width / 2),
    Math.max(0, Math.abs(box.y - y) - box.height / 2),
  );
}

function isWithin({ x, y, width, height }: Box, size: Size): boolean {
  return x - width / 2 >= 0 && x + width / 2 <= size.width && y - height / 2 >= 0 && y + height / 2 <= size.height;
}

/** Returns the names that lie on no plate. */
export function besidePlates<Name extends Box>(
  names: readonly (Name | undefined)[],
  plates: readonly Box[],
): (Name | undefined)[] {
  return names.map((name) => (name && plates.some((plate) => overlap(name, plate) > 0) ? undefined : name));
}

/** Returns on how much of each other two boxes lie; those that only touch are beside each other. */
function overlap(one: Box, other: Box): number {
  const across = ((one.width + other.width) * TOUCHING) / 2 - Math.abs(one.x - other.x);
  const down = ((one.height + other.height) * TOUCHING) / 2 - Math.abs(one.y - other.y);
  return across > 0 && down > 0 ? across * down : 0;
}
