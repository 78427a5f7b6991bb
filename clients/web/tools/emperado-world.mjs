/**
 * Makes the drawing of EMPERADO's board from the map of its rules:
 *
 *     node tools/emperado-world.mjs
 *
 * writes src/boards/emperado/world.json. A test holds the two together.
 */
import { readFileSync, writeFileSync } from "node:fs";

const MAP = new URL("../../../brettwerk_games/rules/emperado/map.json", import.meta.url);
const DRAWING = new URL("../src/boards/emperado/world.json", import.meta.url);

/** Where the name and the worth of a continent stand: in the sea next to it. */
const SIGNS = {
  asia: [800, 17],
  europe: [560, 22],
  north_america: [62, 186],
  africa: [405, 400],
  south_america: [172, 448],
  asia_minor: [650, 338],
  polar_islands: [420, 24],
  central_america: [104, 318],
  oceania: [915, 346],
  australia: [768, 512],
};

const path = (points) => `M${points.map((point) => point.join(" ")).join("L")}`;

/** Returns what the board needs of a map. */
export function drawing(map) {
  const numbers = new Map(map.countries.map(({ id }, number) => [id, number]));
  return {
    size: map.size,
    continents: map.continents.map(({ id, bonus, colour }) => ({ id, bonus, colour, sign: SIGNS[id] })),
    countries: map.countries.map(({ id, notation, continent, label, shape }) => ({
      id,
      notation,
      continent: map.continents.findIndex((each) => each.id === continent),
      label,
      path: shape.map((ring) => `${path(ring)}Z`).join(""),
    })),
    borders: ["country", "continent"].map((kind) =>
      map.borders
        .filter((border) => border.kind === kind)
        .map(({ points }) => path(points))
        .join(""),
    ),
    seaBorders: map.sea_continent_lines.map(({ points }) => path(points)).join(""),
    seaLinks: map.links.flatMap((link) => (link.path ?? []).map(path)).join(""),
    around: map.links.filter(({ wrap }) => wrap).map(({ a, b }) => [numbers.get(a), numbers.get(b)]),
  };
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(DRAWING, `${JSON.stringify(drawing(JSON.parse(readFileSync(MAP, "utf8"))))}\n`);
}
