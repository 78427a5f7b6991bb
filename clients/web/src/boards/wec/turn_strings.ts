/** The facts that the board reads from the strings of the notation: the way of the last Move, and where something happened. */
import { lookOf, kindOf } from "./kinds";
import { placeNamed, SIZE, squareOf } from "./squares";

/** A Move: the squares it was ordered from and to, and where the piece came to when that was another one. */
export interface Way {
  readonly from: number;
  readonly to: number;
  readonly came: number;
}

const PLACE = String.raw`([v^]?\(\d+,\d+\))`;
const MOVE = new RegExp(String.raw`MV:([A-Z]+)${PLACE}[^,]*?->${PLACE}`);
const BUMPED = new RegExp(String.raw`BP\*[A-Z]+${PLACE}`);
const FIRE = new RegExp(String.raw`FI(\d?):([A-Z]+)/([A-Z]+)${PLACE}[^,]*?(->|=>)[A-Z]*${PLACE}`, "g");
const ENDED = new RegExp(String.raw`(?:[A-Z]+K\*[A-Z]+|ST\*[A-Z]+|CS\*[A-Z]+)${PLACE}`, "g");
const COUNTERED = new RegExp(String.raw`(?:^|[,:])[RTS]\*[A-Z]+${PLACE}`, "g");
const OVER = new RegExp(String.raw`(?:^|[,:])[RTS]v${PLACE}`, "g");
const STEP = new RegExp(String.raw`(?:^|[,:])[RTS]->${PLACE}\((-?[01]),(-?[01])\)`, "g");

/** Returns the way of the Move in a Turn's string, or undefined when it shows none. */
export function wayIn(text: string): Way | undefined {
  const found = MOVE.exec(text);
  const from = placeNamed(found?.[2] ?? "");
  const to = placeNamed(found?.[3] ?? "");
  if (from === undefined || to === undefined) return undefined;
  // A mover that cannot enter stops before what is hidden; one that takes, takes it where it stands.
  const taken = new RegExp(String.raw`(?:^|[,:])${found?.[1] ?? ""}\*[A-Z]+${PLACE}`).exec(text);
  const came = placeNamed(BUMPED.exec(text)?.[1] ?? taken?.[1] ?? "");
  return { from: squareOf(from), to: squareOf(to), came: squareOf(came ?? to) };
}

/** A Fire: the code of what was fired, the place of who fired, and what it was aimed at: a neighbouring place, or a piece's. */
export interface Fired {
  readonly code: string;
  readonly from: number;
  readonly to: number;
  readonly aimed: boolean;
  /** How many Fires of the Turn were made before it. */
  readonly before: number;
}

/** Returns the Fires in a Turn's string. */
export function firesIn(text: string): Fired[] {
  return [...text.matchAll(FIRE)].flatMap(([, number, code = "", , source = "", sign, target = ""]) => {
    const [from, to] = [placeNamed(source), placeNamed(target)];
    return from === undefined || to === undefined
      ? []
      : [{ code, from, to, aimed: sign === "=>", before: Math.max(1, Number(number)) - 1 }];
  });
}

/** Returns the squares where something was hit, exploded or changed sides. */
export function strikesIn(text: string): number[] {
  return squaresIn(text, ENDED);
}

/** Returns the squares where what flies met something that countered it. */
export function counteredIn(text: string): number[] {
  return squaresIn(text, COUNTERED);
}

/** Returns the squares where something that flies exploded; one that only left the board hit nothing, and came nowhere. */
export function blastsIn(text: string): number[] {
  const met = new Set([...strikesIn(text), ...counteredIn(text)]);
  const came = [...text.matchAll(STEP)].flatMap(([, name = "", rows, columns]) => {
    const place = placeNamed(name);
    return place === undefined ? [] : [squareOf(place) + Number(rows) * SIZE + Number(columns)];
  });
  return squaresIn(text, OVER).filter((square) => met.has(square) || came.includes(square) || !isAtEdge(square));
}

function isAtEdge(square: number): boolean {
  return [Math.floor(square / SIZE), square % SIZE].some((each) => each === 0 || each === SIZE - 1);
}

function squaresIn(text: string, pattern: RegExp): number[] {
  const places = [...text.matchAll(pattern)].flatMap(([, name = ""]) => placeNamed(name) ?? []);
  return [...new Set(places.map(squareOf))];
}

/** Returns the key of the words for the kind of piece that moves in a string; empty when there is none. */
export function moverIn(text: string): string {
  const code = MOVE.exec(text)?.[1] ?? "";
  return code === "" ? "" : `kind.${lookOf(kindOf(code)).key}`;
}
