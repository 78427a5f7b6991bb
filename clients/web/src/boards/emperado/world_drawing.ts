/** The drawing of the world, for boards of any size; countries are numbered as in the contract. */
import drawing from "./world.json";

export interface Outline {
  /** Where its armies are drawn. */
  readonly label: readonly number[];
  readonly path: string;
}

export const [WIDTH, HEIGHT] = drawing.size as [number, number];
/** By country. */
export const OUTLINES: readonly Outline[] = drawing.countries;
/** Borders between countries, and between continents, as paths. */
export const [COUNTRY_BORDERS, CONTINENT_BORDERS] = drawing.borders as [string, string];
/** Neighbourhoods over sea. */
export const SEA_LINKS: string = drawing.seaLinks;
