/** What the board reads from the strings of the notation: the way of the last Move, and where something happened. */
import { lookOf, kindOf } from "./kinds";
import { placeNamed, squareOf } from "./squares";

/** A Move: the squares it was ordered from and to, and where the piece came to when that was another one. */
export interface Way {
  readonly from: number;
  readonly to: number;
  readonly came: number;
}

const PLACE = String.raw`([v^]?\(\d+,\d+\))`;
const MOVE = new RegExp(String.raw`MV:([A-Z]+)${PLACE}[^,]*?->${PLACE}`);
const BUMPED = new RegExp(String.raw`BP\*[A-Z]+${PLACE}`);
const FIRE = new RegExp(String.raw`FI\d?:([A-Z]+)/([A-Z]+)${PLACE}[^,]*?(?:->|=>[A-Z]*)${PLACE}`, "g");
const ENDED = new RegExp(String.raw`(?:[RTS]v|[A-Z]+K\*[A-Z]+|ST\*[A-Z]+|CS\*[A-Z]+)${PLACE}`, "g");

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

/** A Fire: the squares of who fired and of what it was aimed at. */
export interface Shot {
  readonly from: number;
  readonly to: number;
}

/** Returns the Fires in a Turn's string. */
export function shotsIn(text: string): Shot[] {
  return [...text.matchAll(FIRE)].flatMap(([, , , source = "", target = ""]) => {
    const from = placeNamed(source);
    const to = placeNamed(target);
    return from === undefined || to === undefined ? [] : [{ from: squareOf(from), to: squareOf(to) }];
  });
}

/** Returns the squares where something was hit, exploded or changed sides. */
export function strikesIn(text: string): number[] {
  const places = [...text.matchAll(ENDED)].flatMap(([, name = ""]) => placeNamed(name) ?? []);
  return [...new Set(places.map(squareOf))];
}

/** Returns the key of the words for the kind of piece that moves in a string; empty when there is none. */
export function moverIn(text: string): string {
  const code = MOVE.exec(text)?.[1] ?? "";
  return code === "" ? "" : `kind.${lookOf(kindOf(code)).key}`;
}
