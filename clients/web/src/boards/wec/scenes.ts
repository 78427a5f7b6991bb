/** Small boards that show one thing each: what stands there, where it goes, what is hit. For the beginning of the rules page. */
import type { Words } from "../tour";
import { AIR, GROUND, SUB } from "./squares";

/** A square by its column and row from the upper left. */
export type At = readonly [column: number, row: number];

/** A piece in a scene. */
export interface Stand {
  /** The code of its kind. */
  readonly code: string;
  readonly at: At;
  readonly seat?: number;
  readonly level?: number;
  readonly hand?: number;
  /** Drawn at half its size, at one side of its square: the first or the second of two. */
  readonly half?: 0 | 1;
  /** Hidden from the player of Black, drawn as a shade. */
  readonly hidden?: boolean;
  /** The article that it carries. */
  readonly carries?: number;
}

/** A way over squares; a shot is drawn in red. */
export interface Way {
  readonly over: readonly At[];
  readonly shot?: boolean;
}

export interface Scene {
  /** Its contents, to be read out. */
  readonly label: Words;
  readonly columns: number;
  readonly rows: number;
  readonly stands: readonly Stand[];
  readonly lies?: readonly { readonly article: number; readonly at: At }[];
  readonly ways?: readonly Way[];
  /** Squares where something is destroyed or stunned. */
  readonly hits?: readonly At[];
  /** Numbers on squares, for the Turns in which something gets there. */
  readonly numbers?: readonly At[];
  /** The surroundings of a place, within a number of squares. */
  readonly near?: { readonly at: At; readonly reach: number };
}

/** The numbers of articles in the contract. */
const [FLAME, STUN, ROCKET] = [1, 2, 4];
const [LEFT, RIGHT] = [1, 2];

export const TURN: readonly Scene[] = [
  {
    label: {
      en: "First the Move: the Panzer goes two Squares.",
      de: "Erst die Bewegung: Der Panzer zieht zwei Felder.",
    },
    columns: 3,
    rows: 4,
    stands: [
      { code: "TA", at: [1, 3], hand: RIGHT },
      { code: "DS", at: [2, 0], seat: 1 },
    ],
    ways: [
      {
        over: [
          [1, 3],
          [1, 1],
        ],
      },
    ],
  },
  {
    label: {
      en: "Then a Fire: its Flame at the Destroyer beside it.",
      de: "Dann ein Schuss: seine Flamme auf den Zerstörer neben ihm.",
    },
    columns: 3,
    rows: 4,
    stands: [
      { code: "TA", at: [1, 1], hand: RIGHT },
      { code: "DS", at: [2, 0], seat: 1 },
    ],
    ways: [
      {
        over: [
          [1, 1],
          [2, 0],
        ],
        shot: true,
      },
    ],
  },
  {
    label: { en: "End Turn: the Destroyer is gone.", de: "Zug beenden: Der Zerstörer ist vernichtet." },
    columns: 3,
    rows: 4,
    stands: [{ code: "TA", at: [1, 1], hand: RIGHT }],
    hits: [[2, 0]],
  },
];

export const WEAPONS: readonly Scene[] = [
  {
    label: {
      en: "A Flame destroys everything on the next Square.",
      de: "Eine Flamme vernichtet alles auf dem nächsten Feld.",
    },
    columns: 3,
    rows: 4,
    stands: [
      { code: "FP", at: [1, 2] },
      { code: "DS", at: [1, 1], seat: 1 },
    ],
    ways: [
      {
        over: [
          [1, 2],
          [1, 1],
        ],
        shot: true,
      },
    ],
    hits: [[1, 1]],
  },
  {
    label: {
      en: "A Stun flies to the first piece in its way.",
      de: "Eine Betäubung fliegt bis zur ersten Figur auf ihrem Weg.",
    },
    columns: 3,
    rows: 4,
    stands: [
      { code: "STP", at: [0, 3] },
      { code: "TA", at: [0, 1], seat: 1, hand: LEFT },
      { code: "DS", at: [0, 0], seat: 1 },
    ],
    ways: [
      {
        over: [
          [0, 3],
          [0, 1],
        ],
        shot: true,
      },
    ],
    hits: [[0, 1]],
  },
  {
    label: {
      en: "A Rocket goes one Square in every Turn, yours and the other's, and hits what it meets.",
      de: "Eine Rakete fliegt in jedem Zug ein Feld, in deinem und im anderen, und trifft, worauf sie stößt.",
    },
    columns: 3,
    rows: 4,
    stands: [
      { code: "RP", at: [1, 3] },
      { code: "DO", at: [1, 0], seat: 1 },
    ],
    numbers: [
      [1, 2],
      [1, 1],
    ],
    hits: [[1, 0]],
  },
];

export const COMPANY: readonly Scene[] = [
  {
    label: {
      en: "A Pawn on a Flame picks it up, and can fire it from now on.",
      de: "Ein Bauer auf einer Flamme nimmt sie auf und kann sie nun feuern.",
    },
    columns: 3,
    rows: 4,
    stands: [
      { code: "STP", at: [0, 3] },
      { code: "STP", at: [2, 1], carries: FLAME },
    ],
    lies: [
      { article: FLAME, at: [0, 3] },
      { article: STUN, at: [1, 0] },
      { article: ROCKET, at: [0, 1] },
    ],
    ways: [
      {
        over: [
          [0, 3],
          [2, 1],
        ],
      },
    ],
  },
  {
    label: {
      en: "A Chopper flies, and takes the Pawn along that shares its Square.",
      de: "Ein Hubschrauber fliegt und nimmt den Bauern mit, der sein Feld teilt.",
    },
    columns: 3,
    rows: 4,
    stands: [
      { code: "CH", at: [0, 3], hand: RIGHT, half: 0 },
      { code: "FP", at: [0, 3], half: 1 },
      { code: "CH", at: [1, 1], hand: RIGHT, level: AIR, half: 0 },
      { code: "FP", at: [1, 1], level: AIR, half: 1 },
    ],
    ways: [
      {
        over: [
          [0, 3],
          [1, 1],
        ],
      },
    ],
  },
  {
    label: {
      en: "A Dozer shifts its companion and the neighbours that are chosen.",
      de: "Ein Dozer schiebt seinen Begleiter und die gewählten Nachbarn mit.",
    },
    columns: 3,
    rows: 4,
    stands: [
      { code: "DO", at: [1, 3], half: 0 },
      { code: "STP", at: [1, 3], half: 1 },
      { code: "TA", at: [0, 3], hand: LEFT },
    ],
    ways: [
      {
        over: [
          [0, 3],
          [0, 2],
        ],
      },
      {
        over: [
          [1, 3],
          [1, 2],
        ],
      },
    ],
  },
];

export const HIDDEN: readonly Scene[] = [
  {
    label: {
      en: "A White Sub, hidden: the Destroyer is four Squares away.",
      de: "Ein weißes U-Boot, verborgen: Der Zerstörer ist vier Felder entfernt.",
    },
    columns: 5,
    rows: 6,
    stands: [
      { code: "DS", at: [1, 5] },
      { code: "SU", at: [3, 1], seat: 1, level: SUB, hidden: true },
    ],
    near: { at: [1, 5], reach: 3 },
    ways: [
      {
        over: [
          [1, 5],
          [2, 4],
        ],
      },
    ],
  },
  {
    label: {
      en: "One Square nearer its Torpedo Launcher detects the Sub.",
      de: "Ein Feld näher entdeckt sein Torpedorohr das U-Boot.",
    },
    columns: 5,
    rows: 6,
    stands: [
      { code: "DS", at: [2, 4] },
      { code: "SU", at: [3, 1], seat: 1, level: SUB },
    ],
    near: { at: [2, 4], reach: 3 },
  },
];

/** The contents of each level of the picture of the three levels, from above. */
export const ON_LEVELS: readonly { readonly level: number; readonly name: Words; readonly stands: readonly Stand[] }[] =
  [
    {
      level: AIR,
      name: { en: "Air: Jets, Choppers, Jump Packs", de: "Luft: Jets, Hubschrauber, Jump Packs" },
      stands: [
        { code: "JE", at: [3, 1], level: AIR },
        { code: "CH", at: [1, 0], seat: 1, level: AIR, hand: LEFT },
      ],
    },
    {
      level: GROUND,
      name: { en: "Ground: everybody, and all Articles", de: "Boden: alle Figuren und alle Gegenstände" },
      stands: [
        { code: "TA", at: [0, 2], hand: RIGHT },
        { code: "K", at: [1, 1] },
        { code: "CL", at: [2, 1], seat: 1, hand: LEFT },
      ],
    },
    {
      level: SUB,
      name: { en: "Sub: Subs, Scubas", de: "Tiefe: U-Boote, Scubas" },
      stands: [
        { code: "SU", at: [1, 1], level: SUB },
        { code: "SU", at: [3, 2], seat: 1, level: SUB },
      ],
    },
  ];
