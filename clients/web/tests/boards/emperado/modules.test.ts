/** The parts of EMPERADO's board: the drawing, the camera, the pills, turns, pace and words. */
import { create } from "@bufbuild/protobuf";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  EmperadoEnd,
  EmperadoEventSchema,
  EmperadoLuck,
  EmperadoOddsSchema,
  EmperadoViewSchema,
  type EmperadoEvent,
} from "@brettwerk/client/v1/emperado";
import type { BoardSeat, Happened } from "../../../src/boards/board";
import { facing, farthest, overview, pan, pointAt, within, zoom } from "../../../src/boards/emperado/camera";
import { holdingsOf } from "../../../src/boards/emperado/continents";
import { amountOf, chanceText } from "../../../src/boards/emperado/orders";
import { continentsOf, layoutOf, plates, unplated } from "../../../src/boards/emperado/layout";
import { placeNames, settings } from "../../../src/boards/emperado/names";
import { pace } from "../../../src/boards/emperado/pace";
import { short, spread } from "../../../src/boards/emperado/pills";
import { narrate } from "../../../src/boards/emperado/narration";
import { arrowsOf, turnsOf, turnsSince } from "../../../src/boards/emperado/turns";
import {
  CONTINENTS,
  COUNTRIES,
  HEIGHT,
  leadsAround,
  waysOf,
  WIDTH,
  middleOf,
} from "../../../src/boards/emperado/world";
import drawn from "../../../src/boards/emperado/world.json";
import known from "../../../src/boards/emperado/world_facts.json";
import { drawing, facts } from "../../../tools/emperado-world.mjs";

const OF = new Map(COUNTRIES.map(({ notation }, number) => [notation, number]));
const country = (name: string): number => OF.get(name) ?? -1;
const event = (kind: EmperadoEvent["kind"]["case"], value: object): EmperadoEvent =>
  create(EmperadoEventSchema, { kind: { case: kind, value } as never });
const say = (key: string, args: Readonly<Record<string, string>> = {}): string =>
  [key.replace("board.emperado.", ""), ...Object.values(args)].join(" ");

const NO_CHANCES: ReadonlyMap<number, string> = new Map();

describe("the drawing", () => {
  it("is that of the map of the rules", () => {
    const map: unknown = JSON.parse(readFileSync("../../brettwerk_games/rules/emperado/map.json", "utf8"));
    expect(drawing(map)).toEqual(drawn);
    expect(facts(map)).toEqual(known);
  });

  it("leads along every coast and back, point by point", () => {
    const shape = [
      [633.2, 56.5],
      [639.4, 52.1],
      [649.9, 52.1],
      [649.4, 62.6],
    ];
    const map = { size: [], countries: [{ label: [], shape: [shape] }], borders: [], links: [] };
    expect(drawing(map).countries[0]?.path).toBe("M633.2 56.5l6.2-4.4 10.5 0-.5 10.5Z");
  });

  it("leads around the edge from Alaska to Kamchatka", () => {
    expect(leadsAround(country("Alaska"), country("Kamtschatka"))).toBe(true);
    const [[, out] = [], [into] = []] = waysOf(country("Alaska"), country("Kamtschatka"));
    expect(out?.x).toBeLessThan(0);
    expect(into?.x).toBeGreaterThan(WIDTH);
    expect(waysOf(country("Peru"), country("Brasilien"))).toHaveLength(1);
  });
});

describe("the camera", () => {
  const pane = { width: 700, height: 400 };

  it("never shows less than nothing beyond the world", () => {
    for (const [right, down] of [
      [9999, 0],
      [-9999, -9999],
      [0, 9999],
    ] as const) {
      const camera = pan(zoom(overview(pane), pane, 3, { x: 10, y: 10 }), pane, right, down);
      expect(camera.x - pane.width / camera.scale / 2).toBeGreaterThanOrEqual(-1e-6);
      expect(camera.x + pane.width / camera.scale / 2).toBeLessThanOrEqual(WIDTH + 1e-6);
      expect(camera.y + pane.height / camera.scale / 2).toBeLessThanOrEqual(HEIGHT + 1e-6);
    }
  });

  it("keeps what lies under the pointer there when it zooms", () => {
    const camera = within({ x: 500, y: 280, scale: 2 }, pane);
    const at = { x: 300, y: 180 };
    const before = pointAt(camera, pane, at);
    const after = pointAt(zoom(camera, pane, 1.5, at), pane, at);
    expect(after.x).toBeCloseTo(before.x);
    expect(after.y).toBeCloseTo(before.y);
  });

  it("begins on a phone where the most of the player's countries are", () => {
    const phone = { width: 390, height: 336 };
    const seen = facing(phone, [
      { x: 900, y: 400 },
      { x: 880, y: 500 },
      { x: 100, y: 100 },
    ]);
    expect(seen.scale).toBeCloseTo(0.6);
    expect(Math.abs(890 - seen.x)).toBeLessThan(phone.width / seen.scale / 2);
    expect(facing(phone, []).x).toBe(WIDTH / 2);
  });

  it("goes no farther than the whole world", () => {
    expect(zoom(overview(pane), pane, 0.1, { x: 0, y: 0 }).scale).toBe(farthest(pane));
  });
});

describe("pills", () => {
  it("do not lie on each other at the size of a phone", () => {
    const size = { width: 30 / 0.75, height: 15 / 0.75 };
    const sizes = COUNTRIES.map(() => size);
    const places = COUNTRIES.map(({ label: [x = 0, y = 0] }) => ({ x, y }));
    const found = spread(places, sizes);
    for (const [i, one] of found.entries()) {
      for (const other of found.slice(i + 1)) {
        const apart = Math.abs(one.x - other.x) > size.width * 0.9 || Math.abs(one.y - other.y) > size.height * 0.8;
        expect(apart).toBe(true);
      }
      expect(Math.hypot(one.x - (places[i]?.x ?? 0), one.y - (places[i]?.y ?? 0))).toBeLessThan(45);
    }
  });

  it("tell large numbers shortly", () => {
    expect([9999, 12_345, 1_000_000_000].map(short)).toEqual(["9999", "12k", "1000M"]);
  });
});

describe("names", () => {
  const letters = { width: (line: string) => line.length * 6, height: 12 };
  const pill = { width: 30, height: 16 };
  const world = { taken: [], within: { width: 400, height: 400 } };

  it("stand below their armies, or wherever else is room", () => {
    const over = { x: 100, y: 100, ...pill };
    const place = (...boxes: (typeof over)[]) => placeNames(boxes, ["Kamchatka", "Bolivia"], letters, world);
    expect(place(over)[0]).toEqual({ x: 100, y: 114, width: 54, height: 12, lines: ["Kamchatka"] });
    expect(place(over, { ...over, y: 120 }).map((at) => at?.y)).toEqual([86, 134]);
  });

  it("are written in two lines where that is possible, and never cut", () => {
    expect(settings("West Africa")).toEqual([["West Africa"], ["West", "Africa"]]);
    expect(settings("Nordwestterritorium")).toEqual([["Nordwestterritorium"], ["Nordwest-", "territorium"]]);
    expect(settings("Ostsibirien").at(-1)).toEqual(["Ost-", "sibirien"]);
    expect(settings("Neufundland").at(-1)).toEqual(["Neu-", "fundland"]);
    for (const whole of ["Peru", "Ontario", "Oststaat"]) expect(settings(whole)[0]).toEqual([whole]);
  });

  const inWords = (language: string): Record<string, string> =>
    JSON.parse(readFileSync(`../../brettwerk_games/rules/emperado/text/${language}.json`, "utf8")) as Record<
      string,
      string
    >;
  const layout = (language: string, scale: number) => {
    const words = inWords(language);
    const names = COUNTRIES.map(({ id }) => words[`country.${id}`] ?? "");
    const continents = continentsOf(
      CONTINENTS.flatMap(({ id }) => [words[`continent.${id}`] ?? "", words[`continent.short.${id}`] ?? ""]),
    );
    const digits = COUNTRIES.map(() => 2);
    return { names, layout: layoutOf(digits, names, continents, scale) };
  };

  it.each([
    ["a large screen", 1.5, 60, 10],
    ["a laptop", 1, 60, 10],
    ["a small laptop", 0.8, 58, 10],
    ["a phone", 0.6, 42, 8],
    ["a phone that shows the whole world", 0.39, 0, 10],
  ])("are whole and lie on no armies and on each other nowhere: %s", (_, scale, least, continents) => {
    for (const language of ["en", "de"]) {
      const { names, layout: found } = layout(language, scale);
      const written = found.names.filter((each) => each !== undefined);
      expect(written.length).toBeGreaterThanOrEqual(least);
      expect(found.signs.filter((each) => each !== undefined).length).toBeGreaterThanOrEqual(continents);
      for (const [country, at] of found.names.entries())
        if (at) expect(at.lines.join(" ").replace("- ", "")).toBe(names[country]);
      const boxes = [...found.pills, ...written];
      for (const one of written) {
        for (const other of boxes) {
          if (one === other) continue;
          const apart =
            Math.abs(one.x - other.x) >= ((one.width + other.width) / 2) * 0.97 ||
            Math.abs(one.y - other.y) >= ((one.height + other.height) / 2) * 0.97;
          expect(apart).toBe(true);
        }
      }
    }
  });

  it("that matter are written wherever they are not, off the armies where that is possible", () => {
    const { names, layout: far } = layout("en", 0.39);
    const wanted = [country("Brasilien"), country("Peru")];
    const found = plates(far, names, [...wanted, ...wanted], NO_CHANCES, 0.39);
    expect(found.map((each) => each.lines.join(" "))).toEqual(["Brazil", "Peru"]);
    const near = layout("en", 1.5);
    expect(plates(near.layout, near.names, wanted, NO_CHANCES, 1.5)).toEqual([]);
  });

  it.each([
    ["a large screen", 1.5],
    ["a laptop", 1],
    ["a phone", 0.78],
  ])("stand on a plate with their chance, which covers no armies, no other plate and no name: %s", (_, scale) => {
    for (const language of ["en", "de"]) {
      const { names, layout: found } = layout(language, scale);
      // Every third country is enough: with their neighbours, they are all of them.
      for (const source of [...COUNTRIES.keys()].filter((country) => country % 3 === 0)) {
        const from = middleOf(source);
        const far = (country: number): number => Math.hypot(middleOf(country).x - from.x, middleOf(country).y - from.y);
        const near = [...COUNTRIES.keys()].sort((one, other) => far(one) - far(other)).slice(1, 6);
        const chances = new Map(near.map((country) => [country, "100 %"]));
        const shown = plates(found, names, [source, ...near], chances, scale);
        const chance = shown.filter((each) => each.chance);
        expect(chance.map(({ country, lines }) => [country, lines.join(" ").replace("- ", "")])).toEqual(
          near.map((country) => [country, `${names[country] ?? ""} 100 %`]),
        );
        for (const plate of chance) {
          for (const other of [...found.pills, ...unplated(found, shown), ...chance]) {
            if (other === undefined || other === plate) continue;
            const [right, down] = [
              (plate.width + other.width) / 2 - Math.abs(plate.x - other.x),
              (plate.height + other.height) / 2 - Math.abs(plate.y - other.y),
            ];
            const covers = right > 0 && down > 0 ? (right * down) / (plate.width * plate.height) : 0;
            expect(covers, `${names[plate.country] ?? ""} in ${language}`).toBeLessThanOrEqual(0.12);
          }
        }
      }
    }
  });
});

describe("continents", () => {
  it("tell how much of them every seat holds, and which seat holds all (EMP-REINF-3)", () => {
    const owners = COUNTRIES.map(({ continent }, number) => (continent === 0 ? 2 : number % 2 === 0 ? 1 : 0));
    const [asia, ...others] = holdingsOf(owners, 3);
    expect(asia).toMatchObject({ id: "asia", holder: 1, held: [0, asia?.size, 0] });
    for (const { holder, held, size } of others) {
      expect(holder).toBe(-1);
      expect(held[1]).toBe(0);
      expect(held[0]).toBeLessThan(size);
    }
  });
});

describe("touches", () => {
  it("are for the amounts of the manual (EMP-REINF-8)", () => {
    expect(amountOf(1, false, false)).toBe(1);
    expect(amountOf(1, true, false)).toBe(5);
    expect(amountOf(1, false, true)).toBe(20);
    expect(amountOf("all", true, true)).toBe(100);
  });

  it("do not promise what is not certain, and say what cannot be", () => {
    const odds = (throws: number, win: number) => create(EmperadoOddsSchema, { throws, win });
    expect(chanceText(odds(0, 1), 18, 1)).toBe("> 99 %");
    expect(chanceText(odds(0, 0), 2, 400)).toBe("< 1 %");
    expect(chanceText(odds(1, 0), 9, 4)).toBe("0 %");
    expect(chanceText(odds(2, 0.01), 9, 6)).toBe("1 %");
    expect(chanceText(odds(2, 0), 2, 3)).toBe("0 %");
    expect(chanceText(odds(1, 0), 9, 3, EmperadoLuck.HALF)).toBe("< 1 %");
    expect(chanceText(odds(1, 0), 9, 3, EmperadoLuck.LITTLE)).toBe("0 %");
  });
});

const [peru, brasilien, afrika] = [country("Peru"), country("Brasilien"), country("Westafrika")];
const fought = (source: number, target: number, values: object): EmperadoEvent =>
  event("fought", { seat: 1, source, target, throws: 1, ...values });

describe("the move table", () => {
  const story = [
    [event("received", { seat: 1, basic: 3 })],
    [event("placed", { seat: 1, country: brasilien, armies: 5, before: 3 })],
    [event("placed", { seat: 1, country: brasilien, armies: 2, before: 8 })],
    [fought(brasilien, afrika, { attackers: 7, defenders: 4, attackersLost: 3, defendersLost: 0 })],
    [fought(brasilien, afrika, { attackers: 4, defenders: 4, attackersLost: 0, defendersLost: 4, entered: 3 })],
    [event("moved", { seat: 1, source: peru, target: brasilien, armies: 1 })],
    [event("moved", { seat: 1, source: peru, target: brasilien, armies: 3 })],
    [event("drew", { seat: 1 }), event("received", { seat: 0, basic: 3 })],
  ];

  it("has one line for all battles between the same countries (EMP-TABLE-3)", () => {
    const [turn, next] = turnsOf(story);
    expect(turn?.seat).toBe(1);
    expect(turn?.lines).toEqual([
      { kind: "placed", country: brasilien, armies: 7, before: 3 },
      {
        kind: "fought",
        source: brasilien,
        target: afrika,
        attackers: 7,
        defenders: 4,
        attackersLeft: 4,
        defendersLeft: 0,
        throws: 2,
      },
      { kind: "moved", source: peru, target: brasilien, armies: 4 },
      { kind: "drew" },
    ]);
    expect(next).toMatchObject({ seat: 0, lines: [] });
  });

  it("knows what others did since a seat's last turn", () => {
    expect(turnsSince(turnsOf(story), 0).map(({ seat }) => seat)).toEqual([1]);
    expect(turnsSince(turnsOf(story), 1)).toHaveLength(1);
  });

  it("draws arrows for attacks, and for moves when they are wanted", () => {
    const seen = (moves: boolean): string[] =>
      arrowsOf(turnsOf(story), moves).map(({ kind, seat }) => `${seat} ${kind}`);
    expect(seen(true).filter((each) => !each.endsWith("moved"))).toEqual(seen(false));
    expect(seen(false).length).toBeGreaterThan(0);
    expect(seen(true).length).toBeGreaterThan(seen(false).length);
  });
});

describe("the pace", () => {
  const seat = (computer: boolean): BoardSeat => ({
    name: "A",
    who: "",
    colour: "#000",
    computer,
    mine: !computer,
    acts: false,
  });
  const happened = (times: object, given: Partial<Happened>): Happened => {
    const view = create(EmperadoViewSchema, {
      position: { options: { infoTime: 2, tableTime: 1, graphicTime: 1, ...times } },
    });
    return { seat: 1, events: [], view, newest: view, seats: [seat(false), seat(true)], ...given };
  };
  const FOREVER = { infoTime: 100, tableTime: 100 };
  const ended = [event("received", { seat: 0, basic: 3 })];
  const attack = [fought(peru, brasilien, {})];

  it("goes on by itself: the table stands for its time, and receiving causes no delay (EMP-TIME-5)", () => {
    expect(pace(happened({}, { events: ended }))).toEqual([{ name: "turn", seconds: 1, rests: true }]);
  });

  it("waits for a key where the times say so: at the table of a turn, then at what the next seat receives", () => {
    expect(pace(happened(FOREVER, { events: ended }))).toEqual([
      { name: "turn", seconds: Infinity, rests: true },
      { name: "info", seconds: Infinity },
    ]);
  });

  it("shows a round of five computers in at most ten seconds, however much they do", () => {
    const seats = [seat(false), ...Array.from({ length: 5 }, () => seat(true))];
    for (const attacks of [3, 12, 60]) {
      const plies = Array.from({ length: 5 }, () => [
        [event("placed", { country: peru, armies: 5 })],
        ...Array.from({ length: attacks }, () => attack),
        ended,
      ]).flat();
      const seconds = plies.map((events, ply) => {
        const around = { led: [ended, ...plies.slice(0, ply + 1)], follow: plies.slice(ply + 1) };
        const stages = pace(happened({}, { events, seats, around: () => around }));
        return stages.reduce((sum, stage) => sum + stage.seconds, 0);
      });
      expect(seconds.every((each) => each > 0)).toBe(true);
      expect(seconds.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(9.5);
    }
  });

  it("gives the steps of a turn more time where arrows are to be seen for longer", () => {
    const around = () => ({ led: [ended, attack], follow: [...Array.from({ length: 29 }, () => attack), ended] });
    const [one] = pace(happened({ graphicTime: 1 }, { events: attack, around }));
    const [five] = pace(happened({ graphicTime: 5 }, { events: attack, around }));
    expect(five?.seconds).toBeCloseTo((one?.seconds ?? 0) * 5);
    expect(one?.minor).toBe(true);
  });

  it("waits at one table a round: before the player's own turn, and at the end", () => {
    const seats = [seat(false), seat(true), seat(true)];
    const next = (toMove: number, end = EmperadoEnd.UNSPECIFIED): unknown => {
      const options = { infoTime: 2, tableTime: 100, graphicTime: 1 };
      const view = create(EmperadoViewSchema, { position: { options, toMove, end } });
      const [stage] = pace(happened({}, { events: ended, seats, view, newest: view }));
      return stage?.seconds;
    };
    expect(next(2)).toBe(1);
    expect(next(0)).toBe(Infinity);
    expect(next(2, EmperadoEnd.FREED)).toBe(Infinity);
  });

  it("waits at every table for those who only watch", () => {
    expect(pace(happened(FOREVER, { events: ended, seats: [seat(true), seat(true)] }))[0]?.seconds).toBe(Infinity);
  });

  it("shows arrows as long as the graphic time, the table's time included (EMP-TIME-4)", () => {
    expect(pace(happened({ tableTime: 3, graphicTime: 5 }, { events: ended }))[0]?.seconds).toBe(5);
    expect(pace(happened({ tableTime: 0, graphicTime: 5 }, { events: ended }))[0]).toMatchObject({ name: "step" });
  });

  it("takes no time where the times are off, and none for people", () => {
    const off = { infoTime: 0, tableTime: 0, graphicTime: 0 };
    const seconds = (given: Partial<Happened>): number =>
      pace(happened(off, given)).reduce((sum, stage) => sum + stage.seconds, 0);
    expect(seconds({ events: ended })).toBe(0);
    expect(seconds({ events: attack })).toBe(0);
    expect(pace(happened({}, { seat: 0, events: attack }))).toEqual([]);
  });

  it("goes by the times that hold now, not by those of the past", () => {
    const newest = create(EmperadoViewSchema, { position: { options: { tableTime: 0, graphicTime: 0, infoTime: 0 } } });
    expect(pace(happened({}, { events: attack, newest }))[0]?.seconds).toBe(0);
  });
});

it("events are told in words", () => {
  const captured = fought(brasilien, afrika, { attackers: 7, defenders: 1, attackersLost: 2, defendersLost: 1 });
  expect(narrate([captured, event("eliminated", { seat: 2, conquerorSeat: 1 })], say)).toEqual({
    action: "narration.captured country.brasilien country.westafrika 5 0",
    after: "narration.eliminated seat.2.name",
    captures: true,
    rolls: true,
    heard: "conquest",
  });
  expect(narrate([event("drew", { seat: 0 })], say).heard).toBe("card");
  expect(narrate([event("received", { seat: 0, basic: 3, continents: 2 })], say).after).toBe(
    "narration.received seat.0.name 5",
  );
});
