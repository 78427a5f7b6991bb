/** The world that is played on; countries and continents are numbered as in the contract. */
import facts from "./world_facts.json";
import { OUTLINES, WIDTH, type Outline } from "./world_drawing";

export { CONTINENT_BORDERS, COUNTRY_BORDERS, HEIGHT, SEA_LINKS, WIDTH } from "./world_drawing";

interface Country extends Outline {
  readonly id: string;
  /** Its name in the notation. */
  readonly notation: string;
  readonly continent: number;
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

export const COUNTRIES: readonly Country[] = OUTLINES.flatMap((outline, country) => {
  const known = facts.countries[country];
  return known === undefined ? [] : [{ ...known, ...outline }];
});
export const CONTINENTS: readonly Continent[] = facts.continents;
/** Borders of continents that run through the sea. */
export const SEA_BORDERS: string = facts.seaBorders;

const around = new Set(facts.around.map(([a, b]) => `${a} ${b}`));

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
