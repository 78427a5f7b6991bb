/**
 * Makes the drawing of EMPERADO's board from the map of its rules:
 *
 *     node tools/emperado-world.mjs
 *
 * writes src/boards/emperado/world.json, and world_facts.json beside it. A test holds them together.
 */
import { readFileSync, writeFileSync } from "node:fs";

const MAP = new URL("../../../brettwerk_games/rules/emperado/map.json", import.meta.url);
const BOARD = new URL("../src/boards/emperado/", import.meta.url);

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

/** Returns a line through points: the first one by its place, the others by the way from the one before, in a third fewer bytes. */
function path([start, ...others]) {
  let before = start;
  const ways = others.map((point) => {
    const way = point.map((value, axis) =>
      String(Math.round((value - before[axis]) * 10) / 10).replace(/^(-?)0[.]/, "$1."),
    );
    before = point;
    return way.join(" ");
  });
  return `M${start.join(" ")}l${ways.join(" ").replaceAll(" -", "-")}`;
}

/** Returns what is drawn of a map, however small it is. */
export function drawing(map) {
  return {
    size: map.size,
    countries: map.countries.map(({ label, shape }) => ({
      label,
      path: shape.map((ring) => `${path(ring)}Z`).join(""),
    })),
    borders: ["country", "continent"].map((kind) =>
      map.borders
        .filter((border) => border.kind === kind)
        .map(({ points }) => path(points))
        .join(""),
    ),
    seaLinks: map.links.flatMap((link) => (link.path ?? []).map(path)).join(""),
  };
}

/** Returns what else a board to play on needs of it. */
export function facts(map) {
  const numbers = new Map(map.countries.map(({ id }, number) => [id, number]));
  return {
    continents: map.continents.map(({ id, bonus, colour }) => ({ id, bonus, colour, sign: SIGNS[id] })),
    countries: map.countries.map(({ id, notation, continent }) => ({
      id,
      notation,
      continent: map.continents.findIndex((each) => each.id === continent),
    })),
    seaBorders: map.sea_continent_lines.map(({ points }) => path(points)).join(""),
    around: map.links.filter(({ wrap }) => wrap).map(({ a, b }) => [numbers.get(a), numbers.get(b)]),
  };
}

if (process.argv[1] === import.meta.filename) {
  const map = JSON.parse(readFileSync(MAP, "utf8"));
  writeFileSync(new URL("world.json", BOARD), `${JSON.stringify(drawing(map))}\n`);
  writeFileSync(new URL("world_facts.json", BOARD), `${JSON.stringify(facts(map))}\n`);
}
