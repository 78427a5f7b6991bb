/** How far the seats have come with the continents (EMP-REINF-3). */
import { CONTINENTS, COUNTRIES, type Continent } from "./world";

interface Holding extends Continent {
  /** How many countries it has. */
  readonly size: number;
  /** How many of them each seat holds, by seat. */
  readonly held: readonly number[];
  /** The seat that holds all of it; -1 where nobody does. */
  readonly holder: number;
}

/** Returns who holds how much of each continent; `owners` are seats plus one by country. */
export function holdingsOf(owners: readonly number[], seats: number): Holding[] {
  return CONTINENTS.map((continent, number) => {
    const inside = COUNTRIES.flatMap((each, country) => (each.continent === number ? [owners[country] ?? 0] : []));
    const held = Array.from({ length: seats }, (_, seat) => inside.filter((owner) => owner === seat + 1).length);
    return { ...continent, size: inside.length, held, holder: held.indexOf(inside.length) };
  });
}
