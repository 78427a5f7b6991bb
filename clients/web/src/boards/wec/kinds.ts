/** The kinds of pieces and articles by the contract's numbers: their codes, the keys of their words, and how they are drawn. */

/** How a kind of piece is called and drawn; the picture fills 100 by 100, and looks to the right where a hand turns it. */
interface KindLook {
  readonly code: string;
  readonly key: string;
  readonly picture: string;
  /** The article whose sign stands on the picture. */
  readonly emblem?: number;
  /** Whether it is seen from above, and turned the way it faces. */
  readonly turns?: boolean;
}

const PAWN = "M50 6a13 13 0 1 1-.01 0zM36 33h28l6 11 8 44H22l8-44z";

const NONE: KindLook = { code: "?", key: "unknown", picture: "M30 30h40v40H30z" };
const KINDS: readonly KindLook[] = [
  NONE,
  { code: "FP", key: "flame_pawn", picture: PAWN, emblem: 1 },
  { code: "RP", key: "rocket_pawn", picture: PAWN, emblem: 4 },
  { code: "STP", key: "stun_pawn", picture: PAWN, emblem: 2 },
  { code: "CP", key: "conversion_pawn", picture: PAWN, emblem: 3 },
  { code: "SOP", key: "sam_torpedo_pawn", picture: PAWN, emblem: 5 },
  { code: "XP", key: "xxx_pawn", picture: PAWN, emblem: 18 },
  { code: "SHP", key: "stealth_pawn", picture: PAWN, emblem: 7 },
  {
    code: "TA",
    key: "panzer",
    // Seen from above, going up: tracks, hull with a turret, barrel.
    picture:
      "M16 22h16v66H16zM68 22h16v66H68zM35 30h30v54H35zM50 43a13 13 0 1 1-.01 0zM50 47a9 9 0 1 1-.01 0zM46 4h8v23h-8z",
    turns: true,
  },
  {
    code: "DO",
    key: "dozer",
    picture: "M30 22h26v28H30zM18 50h50v15H18zM15 68h56a9 9 0 0 1 0 18H15a9 9 0 0 1 0-18zM76 42h10v44H76z",
  },
  {
    code: "CL",
    key: "cleric",
    picture:
      "M50 8c15 12 22 25 22 38 0 10-7 17-13 22H41c-6-5-13-12-13-22C28 33 35 20 50 8zM46 26v8h-8v7h8v16h8V41h8v-7h-8v-8zM28 73h44v14H28z",
  },
  {
    code: "CH",
    key: "chopper",
    picture:
      "M34 20h58v6H34zM56 26h6v9h-6zM42 35h28c13 0 20 9 20 17s-8 13-15 13H48c-11 0-18-6-20-13L8 40v-8l8 2 14 9c2-5 7-8 12-8zM34 72h50v6H34z",
  },
  {
    code: "JE",
    key: "jet",
    picture: "M50 6l7 24v14l33 22v9l-33-9v13l11 9v7l-18-5-18 5v-7l11-9V66l-33 9v-9l33-22V30z",
  },
  {
    code: "SU",
    key: "sub",
    picture:
      "M46 26h18v15H46zM53 14h5v12h-5zM28 41h46c11 0 17 7 17 15s-6 15-17 15H28c-7 0-11-3-14-7l-8 6V42l8 6c3-4 7-7 14-7z",
  },
  {
    code: "DS",
    key: "destroyer",
    picture: "M8 56h84L78 82H24zM28 40h32v13H28zM36 25h14v13H36zM62 45h22v6H62zM41 12h4v13h-4z",
  },
  {
    code: "AAA",
    key: "aaa",
    picture: "M18 70h64v16H18zM38 52h26v18H38zM36 54L20 16l8-3 18 38zM54 52L46 12l8-2 10 40z",
  },
  {
    code: "K",
    key: "king",
    picture:
      "M46 5h8v8h8v7h-8v9h-8v-9h-8v-7h8zM20 33c9-5 22 0 30 9 8-9 21-14 30-9 9 6 5 21-7 34H27C15 54 11 39 20 33zM27 72h46v15H27z",
  },
  {
    code: "DI",
    key: "dictator",
    picture:
      "M14 38c12-22 60-22 72 0l-7 14H21zM50 22l-4 8-8 1 6 6-2 8 8-4 8 4-2-8 6-6-8-1zM20 55h60l9 10H11zM28 72h44v15H28z",
  },
  {
    code: "AV",
    key: "avatar",
    picture:
      "M50 5a16 16 0 1 0 .01 0zM50 12a9 9 0 1 1-.01 0zM50 40c11 10 11 22 0 32-11-10-11-22 0-32zM16 42c15 0 26 9 30 28C29 74 18 60 16 42zM84 42c-15 0-26 9-30 28 17 4 28-10 30-28zM26 77h48v10H26z",
  },
  {
    code: "PR",
    key: "president",
    picture: "M30 10h40v42H30zM50 20l-3 8h-9l7 6-3 9 8-5 8 5-3-9 7-6h-9zM14 55h72v11H14zM28 72h44v15H28z",
  },
  {
    code: "Q",
    key: "queen",
    picture:
      "M14 22a5 5 0 1 1-.01 0zM38 9a5 5 0 1 1-.01 0zM62 9a5 5 0 1 1-.01 0zM86 22a5 5 0 1 1-.01 0zM15 33l18 13 5-26 12 24 12-24 5 26 18-13-11 34H26zM26 72h48v15H26z",
  },
  {
    code: "AS",
    key: "assassin",
    picture: "M50 4l9 14-4 40H45l-4-40zM28 59h44v9H28zM45 69h10v12H45zM50 81a6 6 0 1 1-.01 0z",
  },
  {
    code: "AC",
    key: "acolyte",
    picture:
      "M50 6c23 7 31 30 31 64H19C19 36 27 13 50 6zM50 25c-11 6-15 18-15 31 7 9 23 9 30 0 0-13-4-25-15-31zM15 75h70v12H15z",
  },
  {
    code: "PM",
    key: "prime_minister",
    picture: "M36 18h28v14h22v50H14V32h22zM43 25v7h14v-7zM14 50h30v5H14zM56 50h30v5H56zM46 47h8v12h-8z",
  },
];

/** Returns the look of a kind of piece. */
export function lookOf(kind: number): KindLook {
  return KINDS[kind] ?? NONE;
}

/** All kinds of pieces by number. */
export const ALL_KINDS: readonly number[] = KINDS.map((_, kind) => kind).slice(1);

/** Returns the kind that the notation writes with a code; 0 for none. */
export function kindOf(code: string): number {
  return Math.max(
    0,
    KINDS.findIndex((each) => each.code === code),
  );
}

const SHIELD = "M0-13l11 4v7c0 8-5 12-11 15C-6 10-11 6-11-2v-7z";
const EYE = "M-12 0C-8-6-4-8 0-8s8 2 12 8C8 6 4 8 0 8S-8 6-12 0zM0-4.5a4.5 4.5 0 1 0 .01 0z";

/** How a kind of article is drawn, from -13 to 13 around the middle. */
interface ArticleLook {
  readonly code: string;
  readonly picture: string;
  /** The weapon that it counters: its sign stands on the shield. */
  readonly counters?: number;
}

const NO_ARTICLE: ArticleLook = { code: "?", picture: EYE };
const ARTICLES: readonly ArticleLook[] = [
  NO_ARTICLE,
  { code: "FL", picture: "M1-13C2-6 9-4 9 4a9 9 0 0 1-18 0C-9-1-6-3-5-7c2 2 3 4 3 6C2-3 2-8 1-13z" },
  { code: "ST", picture: "M3-13L-8 2h6l-3 11L9-3H1z" },
  {
    code: "CS",
    picture: "M-11-1a11 11 0 0 1 18-7l4-4v10H1l3-3a6 6 0 0 0-9 4zM11 1a11 11 0 0 1-18 7l-4 4V2h10l-3 3a6 6 0 0 0 9-4z",
  },
  { code: "RL", picture: "M0-13c4 3 5 8 5 12l5 6v6l-6-4h-8l-6 4V5l5-6c0-4 1-9 5-12zM-3 9h6l-3 5z" },
  { code: "SL", picture: "M-3 13V-3h-5L0-13 8-3H3v16zM-12 13V3h4v10zM8 13V3h4v10z" },
  { code: "TL", picture: "M-8 0c0-4 4-6 8-6h5c5 0 8 3 8 6s-3 6-8 6H0c-4 0-8-2-8-6zM-13-7l5 5v4l-5 5z" },
  { code: "SH", picture: `${EYE}M-11 9L8-13l4 3L-7 12z` },
  { code: "AFL", picture: SHIELD, counters: 1 },
  { code: "AST", picture: SHIELD, counters: 2 },
  { code: "ACS", picture: SHIELD, counters: 3 },
  { code: "ARL", picture: SHIELD, counters: 4 },
  { code: "ASL", picture: SHIELD, counters: 5 },
  { code: "ATL", picture: SHIELD, counters: 6 },
  { code: "ASH", picture: SHIELD, counters: 7 },
  {
    code: "BI",
    picture:
      "M-7-1a6 6 0 1 0 .01 0zM-7 2a3 3 0 1 1-.01 0zM7-1a6 6 0 1 0 .01 0zM7 2a3 3 0 1 1-.01 0zM-8 4l4-11h8v-3h4v4l3 10H8L5-3-1 6-4 4l5-8h-2l-4 9z",
  },
  { code: "JP", picture: "M-9-10h7v16h-7zM2-10h7V6H2zM-9 8h7l-3 6zM2 8h7l-3 6zM-2-5h4v4h-4z" },
  { code: "SC", picture: "M-12-5h20v-8h4V3c0 4-3 5-6 5S2 4-2 4s-3 4-6 4-4-1-4-5zM-9-2v4h14v-4z" },
  { code: "XXX", picture: "M-12-11h24v22h-24zM-9-8v16H9V-8zM-6-6l3 0 3 4 3-4 3 0-4 6 4 6-3 0-3-4-3 4-3 0 4-6z" },
];

/** The shape of an article's plate: round for weapons, a shield for what counters them, square for transports, eight corners for the rest. */
export type Plate = "weapon" | "counter" | "transport" | "box";

const WEAPON_HUES: readonly string[] = [
  "#5f6368",
  "#b8400a",
  "#8a6a00",
  "#7a2fa0",
  "#b3122f",
  "#1f56c9",
  "#0b6b62",
  "#4a4f57",
];
const TRANSPORT_HUE = "#6b4a12";
const BOX_HUE = "#16181c";
const [FIRST_COUNTER, FIRST_TRANSPORT, FIRST_BOX] = [8, 15, 18];

/** Returns the shape and the colour of an article's plate; what counters a weapon has the colour of that weapon. */
export function plateOf(article: number): { plate: Plate; hue: string } {
  const hueOf = (weapon: number): string => WEAPON_HUES[weapon] ?? BOX_HUE;
  if (article < FIRST_COUNTER) return { plate: "weapon", hue: hueOf(article) };
  if (article < FIRST_TRANSPORT) return { plate: "counter", hue: hueOf(articleLook(article).counters ?? 0) };
  return article < FIRST_BOX ? { plate: "transport", hue: TRANSPORT_HUE } : { plate: "box", hue: BOX_HUE };
}

/** Returns the look of a kind of article. */
export function articleLook(article: number): ArticleLook {
  return ARTICLES[article] ?? NO_ARTICLE;
}

/** All kinds of articles by number. */
export const ALL_ARTICLES: readonly number[] = ARTICLES.map((_, article) => article).slice(1);

/** Weapons that pieces counter without any article. */
export const [FLAME, STUN, CONVERSION, ROCKET] = [1, 2, 3, 4] as const;
/** The weapons that kinds of pieces counter without any article (WEC-PIECE-13). */
const COUNTERS: Readonly<Record<string, readonly number[]>> = {
  FP: [FLAME],
  RP: [ROCKET],
  STP: [STUN],
  CP: [CONVERSION],
  K: [FLAME, ROCKET],
  DI: [CONVERSION, ROCKET],
  AV: [STUN, ROCKET],
  PR: [CONVERSION, FLAME],
  Q: [CONVERSION, STUN],
  AS: [FLAME, STUN],
  AC: [FLAME, CONVERSION],
  PM: [ROCKET, STUN],
};

/** Returns whether a piece of a kind that carries these articles counters a weapon at all. */
export function canCounter(kind: number, articles: readonly { readonly kind: number }[], weapon: number): boolean {
  const inherent = COUNTERS[lookOf(kind).code] ?? [];
  return inherent.includes(weapon) || articles.some((article) => articleLook(article.kind).counters === weapon);
}
