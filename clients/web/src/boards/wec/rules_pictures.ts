/** The pictures of the rules page: those of its beginning, the paths that it has as text, and the ranges of weapons and detectors as the options have them. */
import { mount } from "svelte";
import type { Figure, Language, Picture, Pictures } from "../rules_pictures";
import type { Words } from "../tour";
import { around, flight, gridIn, gridOf, isSymmetrical, rays, together, type Grid } from "./figures";
import { kindOf } from "./kinds";
import LevelsFigure from "./LevelsFigure.svelte";
import MovesFigure from "./MovesFigure.svelte";
import { COMPANY, HIDDEN, TURN, WEAPONS, type Scene } from "./scenes";
import ScenesFigure from "./ScenesFigure.svelte";
import { AIR, GROUND, SUB } from "./squares";
import SquaresFigure from "./SquaresFigure.svelte";

const STEPS: Words = {
  en: "A number is the step of the path that leads there.",
  de: "Eine Zahl ist der Schritt des Weges, der dorthin führt.",
};
const ROUTES: Words = {
  en: "A number is the step of the route that leads there.",
  de: "Eine Zahl ist der Schritt der Route, der dorthin führt.",
};
const JUMPS: Words = { en: "Rings are the targets.", de: "Ringe sind die Ziele." };
const PAWNS: Words = {
  en: "Rings: it moves there. Crosses: it takes there.",
  de: "Ringe: dorthin zieht er. Kreuze: dort schlägt er.",
};
const FIRST: Words = {
  en: `${PAWNS.en} 2: its first Move over two Squares.`,
  de: `${PAWNS.de} 2: sein erster Zug über zwei Felder.`,
};
const MOVEMENTS: readonly Words[] = [
  { en: "Weaponized Chess", de: "Weaponized Chess" },
  { en: "Standard Chess", de: "Standardschach" },
  { en: "Chess of Mass Destruction", de: "Chess of Mass Destruction" },
];

interface Drawn {
  readonly grid: Grid;
  readonly code: string;
  readonly level?: number;
  readonly hands?: boolean;
  readonly title: Words;
  readonly legend: Words;
}

function picture(at: number | string, { grid, code, level = GROUND, hands = false, title, legend }: Drawn): Picture {
  return {
    at,
    draw: ({ target, anchor, language }) =>
      mount(SquaresFigure, {
        target,
        anchor,
        props: { grid, kind: kindOf(code), level, hands, language, title: title[language], legend: legend[language] },
      }),
  };
}

const same = (words: string): Words => ({ en: words, de: words });

function titled(kind: Words, movement: Words | undefined): Words {
  return { en: `${kind.en}, ${movement?.en ?? ""}`, de: `${kind.de}, ${movement?.de ?? ""}` };
}

/** Returns the pictures of the figures of the page, in the order in which they are there: slides, routes, jumps, Pawns, the Jet. */
function ofPaths(figures: readonly Figure[]): Picture[] {
  const found = figures.flatMap(({ text, title }, number) => {
    const grid = gridIn(text);
    return grid === undefined ? [] : [{ grid, title: same(title), number }];
  });
  const slides = found.filter(({ grid }) => grid.length === 17);
  const jumps = found.filter(({ grid }) => grid.length === 7);
  const routes = found.filter(({ grid }) => grid.length === 9);
  const small = found.filter(({ grid }) => grid.length === 5);
  const pictures = slides.map(({ grid, title, number }, index) =>
    picture(number, { grid, code: index % 2 === 0 ? "TA" : "CL", hands: !isSymmetrical(grid), title, legend: STEPS }),
  );
  for (const { grid, title, number } of routes)
    pictures.push(picture(number, { grid, code: "FP", title, legend: ROUTES }));
  for (const { grid, title, number } of jumps) {
    const chopper = titled({ en: "Chopper", de: "Hubschrauber" }, title);
    pictures.push(picture(number, { grid, code: "CH", hands: !isSymmetrical(grid), title: chopper, legend: JUMPS }));
  }
  for (const [index, { grid, title, number }] of small.entries()) {
    if (index === small.length - 1) {
      const jet = { en: "Jet in Air", de: "Jet in der Luft" };
      pictures.push(picture(number, { grid, code: "JE", level: AIR, title: jet, legend: STEPS }));
    } else {
      const pawn = titled({ en: "Pawn", de: "Bauer" }, title);
      const legend = grid.flat().includes("2") ? FIRST : PAWNS;
      pictures.push(picture(number, { grid, code: "FP", title: pawn, legend }));
    }
  }
  for (const [index, movement] of MOVEMENTS.entries()) {
    const [panzer, cleric] = [slides[2 * index]?.grid, slides[2 * index + 1]?.grid];
    if (panzer === undefined || cleric === undefined) continue;
    const turned = [panzer, cleric].map((grid) => grid.map((row) => [...row].reverse()));
    const title = titled(
      { en: "Queen and the other secondaries", de: "Dame und die anderen Stellvertreter" },
      movement,
    );
    const grid = together(panzer, cleric, ...turned);
    pictures.push(picture("WEC-MOVE-QUEEN-2", { grid, code: "Q", title, legend: STEPS }));
  }
  return pictures;
}

const around8 = (sign: string): Grid => gridOf(1, () => sign);

function ofSteps(): Picture[] {
  return [
    picture("WEC-MOVE-KING-1", {
      grid: around8("b"),
      code: "K",
      title: { en: "King and the other primaries", de: "König und die anderen Oberhäupter" },
      legend: { en: "One Square in any direction.", de: "Ein Feld in jede Richtung." },
    }),
    picture("WEC-MOVE-STEP-1", {
      grid: around8("m"),
      code: "DO",
      title: { en: "Dozer, Destroyer and AAA", de: "Dozer, Zerstörer und AAA" },
      legend: {
        en: "One Square in any direction, without taking.",
        de: "Ein Feld in jede Richtung, ohne zu schlagen.",
      },
    }),
    picture("WEC-MOVE-SUB-1", {
      grid: around8("m"),
      code: "SU",
      level: SUB,
      title: { en: "Sub", de: "U-Boot" },
      legend: {
        en: "One Square in any direction, or up and down within its Square.",
        de: "Ein Feld in jede Richtung, oder auf und ab in seinem Feld.",
      },
    }),
  ];
}

function ofWeapons(presets: ReadonlyMap<string, number>): Picture[] {
  const preset = (key: string): number => presets.get(key) ?? 1;
  const within = (range: number): Words => ({
    en: `Within ${range} Squares.`,
    de: `Innerhalb von ${range} Feldern.`,
  });
  const flies: Words = {
    en: "A number is the Turn, either player's, in which it gets there; where a Piece is, it explodes.",
    de: "Eine Zahl ist der Zug, gleich wessen, in dem sie dort ankommt; wo eine Figur ist, explodiert sie.",
  };
  return [
    picture("WEC-FIRE-FLAME-2", {
      grid: rays(3, preset("flame_range"), 2),
      code: "FP",
      title: { en: "Flame", de: "Flamme" },
      legend: {
        en: "Crosses are what it can hit, in one direction at a time; dotted with the longer range.",
        de: "Kreuze sind, was sie treffen kann, in je einer Richtung; gepunktet mit der längeren Reichweite.",
      },
    }),
    picture("WEC-FIRE-STUN-2", {
      grid: rays(5, preset("stun_range"), preset("stun_range")),
      code: "STP",
      title: { en: "Stun", de: "Betäubung" },
      legend: {
        en: "It flies in one direction to the first Square with Pieces.",
        de: "Sie geht in eine Richtung bis zum ersten Feld mit Figuren.",
      },
    }),
    picture("WEC-FIRE-CONV-1", {
      grid: rays(3, 1, 1),
      code: "CL",
      title: { en: "Conversion", de: "Bekehrung" },
      legend: { en: "A neighbouring Square, enemies only.", de: "Ein Nachbarfeld, nur Gegner." },
    }),
    picture("WEC-FIRE-HOMING-1", {
      grid: around(4, preset("homing_range")),
      code: "AAA",
      title: { en: "Targets to home on", de: "Ziele zum Ansteuern" },
      legend: within(preset("homing_range")),
    }),
    picture("WEC-PROJ-3", {
      grid: flight(4),
      code: "RP",
      title: { en: "A Rocket and its explosion", de: "Eine Rakete und ihre Explosion" },
      legend: flies,
    }),
    picture("WEC-STEALTH-5", {
      grid: around(4, preset("stealth_detector_range")),
      code: "SHP",
      title: { en: "What a Counter-Stealth detects", de: "Was eine Kontertarnung entdeckt" },
      legend: within(preset("stealth_detector_range")),
    }),
    picture("WEC-SUBM-2", {
      grid: around(4, preset("submergence_detector_range")),
      code: "DS",
      title: { en: "What a Torpedo Launcher detects in Sub", de: "Was ein Torpedorohr in der Tiefe entdeckt" },
      legend: within(preset("submergence_detector_range")),
    }),
  ];
}

function pictured(at: string, scenes: readonly Scene[], words: Words): Picture {
  return {
    at,
    draw: ({ target, anchor, language }) =>
      mount(ScenesFigure, { target, anchor, props: { scenes, language, words: words[language] } }),
  };
}

/** Returns the pictures of the page's beginning. */
function ofBeginning(figures: readonly Figure[]): Picture[] {
  const grids = figures.map(({ text }) => gridIn(text)).filter((grid) => grid !== undefined);
  const [panzer, cleric] = grids.filter((grid) => grid.length === 17);
  const [chopper] = grids.filter((grid) => grid.length === 7);
  const [pawn] = grids.filter((grid) => grid.length === 5);
  const RIGHT = 2;
  const moves = (language: Language): readonly { grid: Grid; hand: number; kind: number; name: string }[] =>
    [
      { grid: pawn, code: "FP", hand: 0, name: { en: "Pawn", de: "Bauer" } },
      { grid: chopper, code: "CH", hand: RIGHT, name: { en: "Chopper", de: "Hubschrauber" } },
      { grid: panzer, code: "TA", hand: RIGHT, name: { en: "Panzer", de: "Panzer" } },
      { grid: cleric, code: "CL", hand: RIGHT, name: { en: "Cleric", de: "Kleriker" } },
    ].flatMap(({ grid, code, hand, name }) =>
      grid === undefined ? [] : [{ grid, hand, kind: kindOf(code), name: name[language] }],
    );
  const words = {
    levels: {
      en: "One board, three Levels: blue is Air, green is Sub.",
      de: "Ein Brett, drei Ebenen: Blau ist die Luft, Grün die Tiefe.",
    },
    moves: {
      en: "Pawn, Chopper, Panzer and Cleric, the last three right-handed. Rings: goes there; crosses: takes there; 2: its first Move.",
      de: "Bauer, Hubschrauber, Panzer und Kleriker, die letzten drei rechtshändig. Ringe: zieht dorthin; Kreuze: schlägt dort; 2: sein erster Zug.",
    },
  };
  return [
    {
      at: "short-levels",
      draw: ({ target, anchor, language }) =>
        mount(LevelsFigure, { target, anchor, props: { language, words: words.levels[language] } }),
    },
    pictured("short-turn", TURN, {
      en: "One Turn: the Move, a Fire, End Turn. Only then does the Flame destroy.",
      de: "Ein Zug: die Bewegung, ein Schuss, Zug beenden. Erst dann vernichtet die Flamme.",
    }),
    {
      at: "short-moves",
      draw: ({ target, anchor, language }) =>
        mount(MovesFigure, {
          target,
          anchor,
          props: { language, moves: moves(language), words: words.moves[language] },
        }),
    },
    pictured("short-weapons", WEAPONS, {
      en: "A Flame reaches the next Square, a Stun the first piece in its way; a Rocket is on its way for some Turns.",
      de: "Eine Flamme reicht ein Feld weit, eine Betäubung bis zur ersten Figur; eine Rakete ist einige Züge lang unterwegs.",
    }),
    pictured("short-help", COMPANY, {
      en: "Picking up a Flame; a Chopper with a passenger; a Dozer that shifts a Pawn and a Panzer along.",
      de: "Eine Flamme aufnehmen; ein Hubschrauber mit Fahrgast; ein Dozer, der Bauer und Panzer mitschiebt.",
    }),
    pictured("short-hidden", HIDDEN, {
      en: "A Destroyer detects within three Squares (blue). The Sub, a shade at first, is seen as soon as it is in there.",
      de: "Ein Zerstörer entdeckt bis auf drei Felder (blau). Das U-Boot, erst ein Schatten, wird darin sichtbar.",
    }),
  ];
}

export const pictures: Pictures = (figures, presets) => [
  ...ofBeginning(figures),
  ...ofPaths(figures),
  ...ofSteps(),
  ...ofWeapons(presets),
];
