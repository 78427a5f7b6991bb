/** The world as it is drawn; countries and continents are numbered as in the contract. */
import drawing from "./world.json";

interface Country {
  readonly id: string;
  /** Its name in the notation. */
  readonly notation: string;
  readonly continent: number;
  /** Where its armies are drawn. */
  readonly label: readonly number[];
  readonly path: string;
}

export interface Continent {
  readonly id: string;
  readonly bonus: number;
  readonly colour: string;
  /** Where its name stands. */
  readonly sign: readonly number[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const [WIDTH, HEIGHT] = drawing.size as [number, number];
export const COUNTRIES: readonly Country[] = drawing.countries;
export const CONTINENTS: readonly Continent[] = drawing.continents;
/** Borders between countries, and between continents, as paths. */
export const [COUNTRY_BORDERS, CONTINENT_BORDERS] = drawing.borders as [string, string];
/** Borders of continents that run through the sea. */
export const SEA_BORDERS: string = drawing.seaBorders;
/** Neighbourhoods over sea. */
export const SEA_LINKS: string = drawing.seaLinks;

const around = new Set(drawing.around.map(([a, b]) => `${a} ${b}`));

/** Whether the way between two neighbours leads around the edge of the map. */
export function leadsAround(one: number, other: number): boolean {
  return around.has(`${one} ${other}`) || around.has(`${other} ${one}`);
}

/** Returns where a country's armies are drawn. */
export function middleOf(country: number): Point {
  const [x = 0, y = 0] = COUNTRIES[country]?.label ?? [];
  return { x, y };
}

/** Returns the ways of an arrow between two countries: one, or two where it leads around the edge of the map. */
export function waysOf(source: number, target: number): (readonly [Point, Point])[] {
  const [from, to] = [middleOf(source), middleOf(target)];
  if (!leadsAround(source, target)) return [[from, to]];
  const shift = from.x < to.x ? -WIDTH : WIDTH;
  return [
    [from, { x: to.x + shift, y: to.y }],
    [{ x: from.x - shift, y: from.y }, to],
  ];
}
