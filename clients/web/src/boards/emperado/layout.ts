/** Where everything is written that stands on the map, in units of the map: armies, what continents are worth, and all names. */
import {
  besidePlates,
  chanceSettings,
  placeNames,
  placeNear,
  placeWanted,
  settings,
  type Letters,
  type Written,
} from "./names";
import { spread, type Box } from "./pills";
import { CONTINENTS, COUNTRIES, HEIGHT, middleOf, WIDTH } from "./world";

/** How high names are, in pixels. */
export const NAME = 12;
/** How large the sign of a continent is, in pixels. */
const SIGN = 32;
/** Below this scale, in pixels per unit, there is room for the names of continents only. */
const FAR = 0.5;
const WORLD = { width: WIDTH, height: HEIGHT };

/** The measures of a pill, in pixels: how high its letters, the pill and the owner's end of it are. */
interface PillSize {
  readonly font: number;
  readonly height: number;
  readonly chip: number;
}

/** The name of a continent, and a shorter one. */
interface Continental {
  readonly name: string;
  readonly short: string;
}

/** The keys of the names of continents, in a row: of each its name and the shorter one. */
export const CONTINENT_KEYS = CONTINENTS.flatMap(({ id }) => [`continent.${id}`, `continent.short.${id}`]);

/** Returns continents from their names in such a row. */
export function continentsOf(names: readonly string[]): Continental[] {
  return CONTINENTS.map((_, continent) => {
    const [name = "", short = ""] = names.slice(2 * continent);
    return { name, short };
  });
}

/** The attempts to be made one after the other from afar: which name, and what part of it armies may hide. */
const FROM_FAR = [
  ["name", 0.1],
  ["short", 0.1],
  ["short", 0.25],
  ["short", 0.4],
] as const;

export interface Layout {
  /** Whether only continents have names, in place of their rings. */
  readonly far: boolean;
  readonly pills: readonly Box[];
  /** The names of continents, and of countries. */
  readonly signs: readonly (Written | undefined)[];
  readonly names: readonly (Written | undefined)[];
}

/** Returns how large pills are drawn. */
export function pillSize(scale: number): PillSize {
  const font = Math.min(16, Math.max(12, 9 + 5 * scale));
  return { font, height: font * 1.5, chip: font * 1.15 };
}

/** Returns how wide a pill is, in pixels. */
export function pillWidth({ font, chip }: PillSize, digits: number, owned: boolean): number {
  return (owned ? chip : 0) + digits * font * 0.6 + font * 0.55;
}

const measured = new Map<string, number>();
let pen: OffscreenCanvasRenderingContext2D | null | undefined;

/** Returns how wide a line of a name is, in pixels, with its rim; about that where nothing can be measured. */
function lineWidth(line: string): number {
  const known = measured.get(line);
  if (known !== undefined) return known;
  if (pen === undefined) {
    pen = typeof OffscreenCanvas === "undefined" ? null : new OffscreenCanvas(1, 1).getContext("2d");
    const sans = getComputedStyle(document.documentElement).getPropertyValue("--sans") || "sans-serif";
    if (pen) pen.font = `600 ${NAME}px ${sans}`;
  }
  const width = (pen?.measureText(line).width ?? line.length * NAME * 0.6) + 2;
  measured.set(line, width);
  return width;
}

function lettersAt(scale: number): Letters {
  return { width: (line) => lineWidth(line) / scale, height: (NAME * 1.1) / scale };
}

/**
 * Returns where everything is written, from how many digits each country's armies have.
 *
 * Each pill has the room of one that is owned, so that nothing moves when a country is taken.
 */
export function layoutOf(
  digits: readonly number[],
  names: readonly string[],
  continents: readonly Continental[],
  scale: number,
): Layout {
  const size = pillSize(scale);
  const sizes = digits.map((each) => ({
    width: (pillWidth(size, each, true) + 1) / scale,
    height: (size.height + 1) / scale,
  }));
  const places = spread(
    COUNTRIES.map((_, country) => middleOf(country)),
    sizes,
  );
  const pills = places.map((place, country) => ({ ...place, ...(sizes[country] ?? { width: 0, height: 0 }) }));
  const letters = lettersAt(scale);
  const rings = CONTINENTS.map(({ sign: [x = 0, y = 0] }) => ({ x, y, width: SIGN / scale, height: SIGN / scale }));
  if (scale < FAR) {
    return { far: true, pills, signs: signsFromFar(rings, pills, continents, letters), names: [] };
  }
  const whole = continents.map(({ name }) => name);
  const signs = placeNames(rings, whole, letters, { taken: pills, within: WORLD });
  const taken = [...rings, ...signs.filter((sign) => sign !== undefined)];
  return { far: false, pills, signs, names: placeNames(pills, names, letters, { taken, within: WORLD }) };
}

/** Returns where continents are named in place of their rings, or near there: by their whole names where these have room. */
function signsFromFar(
  rings: readonly Box[],
  pills: readonly Box[],
  continents: readonly Continental[],
  letters: Letters,
): (Written | undefined)[] {
  const found: (Written | undefined)[] = rings.map(() => undefined);
  for (const [words, hidden] of FROM_FAR) {
    for (const [continent, ring] of rings.entries()) {
      if (found[continent] !== undefined) continue;
      const name = continents[continent]?.[words] ?? "";
      const written = found.filter((each) => each !== undefined);
      found[continent] = placeNear(ring, name, letters, { signs: rings, pills, written, within: WORLD, hidden });
    }
  }
  return found;
}

/** A name on a plate, and whether a chance stands there with it. */
export interface Plate extends Written {
  readonly country: number;
  readonly chance: boolean;
}

/** How much larger a plate is than its letters, in pixels. */
export const PLATE = { right: 6, down: 2 };

/** Returns where the names stand that are wanted and not written anyway, and those with a chance: first those, each on a plate. */
export function plates(
  { pills, names: written, signs }: Layout,
  names: readonly string[],
  wanted: Iterable<number>,
  chances: ReadonlyMap<number, string>,
  scale: number,
): Plate[] {
  const found: Plate[] = [];
  const letters = lettersAt(scale);
  const plated: Letters = { width: (line) => letters.width(line) + PLATE.right / scale, height: letters.height };
  for (const country of new Set([...chances.keys(), ...wanted])) {
    const pill = pills[country];
    const [name, chance] = [names[country] ?? "", chances.get(country)];
    if (pill === undefined || (written[country] && chance === undefined)) continue;
    const set = chance === undefined ? settings(name) : chanceSettings(name, chance);
    const at = placeWanted(pill, set, plated, {
      taken: [...pills, ...found],
      names: [...written, ...signs],
      within: WORLD,
    });
    if (at) found.push({ ...at, country, chance: chance !== undefined });
  }
  return found;
}

/** Returns the names that are written beside plates: none that has a plate itself, and none that lies under one. */
export function unplated({ names }: Layout, found: readonly Plate[]): (Written | undefined)[] {
  const own = new Set(found.map(({ country }) => country));
  return besidePlates(
    names.map((name, country) => (own.has(country) ? undefined : name)),
    found,
  );
}
