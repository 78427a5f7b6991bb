/** Arrivals at squares in a Turn and departures, after which of its Fires, as its string tells (WEC-NOTATION, WEC-RUL-52). */
import { placeNamed, SIZE, squareOf } from "./squares";
import { wayIn } from "./turn_strings";

/** A piece that changed its place, of this code. */
export interface Step {
  readonly code: string;
  /** The place that it left and the square that it came to, as far as they are read. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** How many Fires had been made. */
  readonly fires: number;
}

const SPOT = String.raw`([v^]?\((?:\d+,\d+|\?,\?)\))`;
const MOVE = new RegExp(String.raw`MV:([A-Z]+)${SPOT}[^,]*?->${SPOT}`);
const CARRIED = new RegExp(String.raw`-TRA->([A-Z]+)${SPOT}`);
const DOZED = new RegExp(String.raw`,DO>${SPOT}((?:,?[A-Z]+${SPOT})*)`);
const ONE_DOZED = new RegExp(String.raw`([A-Z]+)${SPOT}`, "g");
const CALLED = new RegExp(String.raw`RE:${SPOT}([A-Z]+)`);
/** Steps and ends of transits, and falls; what flies has a single letter, too, but another one. */
const PIECE = String.raw`(?:^|[,:])([A-Z]{2,}|K|Q)`;
const SHIFTED = new RegExp(String.raw`${PIECE}->${SPOT}\((-?[01]),(-?[01])\)`, "g");
const APPEARED = new RegExp(String.raw`${PIECE}\(\?,\?\)->${SPOT}`, "g");
const ARRIVED = new RegExp(String.raw`${PIECE}v${SPOT}`, "g");

/** Returns the steps of a Turn. */
export function stepsIn(text: string): Step[] {
  return [...moved(text), ...dozed(text), ...called(text), ...ended(text)];
}

/** Returns how many Fires were made before an action of this letter, which is written there. */
function firesBefore(text: string, letter: string, index: number): number {
  const order = /,OR:([A-Z]+)/.exec(text)?.[1];
  if (order === undefined) return text.slice(0, index).match(/FI\d?:/g)?.length ?? 0;
  return order.slice(0, order.indexOf(letter)).match(/F/g)?.length ?? 0;
}

function squareNamed(name = ""): number | undefined {
  const place = placeNamed(name);
  return place === undefined ? undefined : squareOf(place);
}

function moved(text: string): Step[] {
  const found = MOVE.exec(text);
  if (found === null) return [];
  const to = wayIn(text)?.came ?? squareNamed(found[3]);
  const fires = firesBefore(text, "M", found.index);
  return [found, CARRIED.exec(text)].flatMap((each) =>
    each ? [{ code: each[1] ?? "", from: placeNamed(each[2] ?? ""), to, fires }] : [],
  );
}

/** Where something hidden was in the way, nobody was shifted (WEC-RUL-27). */
function dozed(text: string): Step[] {
  const found = DOZED.exec(text);
  const way = wayIn(text);
  if (found === null || (way && way.came !== way.to)) return [];
  const fires = firesBefore(text, "M", found.index);
  return [...(found[2] ?? "").matchAll(ONE_DOZED)].map(([, code = "", name = ""]) => {
    const from = placeNamed(name);
    return { code, from, to: from === undefined || !way ? undefined : squareOf(from) + way.to - way.from, fires };
  });
}

function called(text: string): Step[] {
  const found = CALLED.exec(text);
  if (found === null) return [];
  const fires = firesBefore(text, "R", found.index);
  return [{ code: found[2] ?? "", from: undefined, to: squareNamed(found[1]), fires }];
}

/** Returns the steps at the end of the Turn, which were after all of its Fires. */
function ended(text: string): Step[] {
  const shifted = [...text.matchAll(SHIFTED)].map(([, code = "", name = "", rows, columns]) => {
    const from = placeNamed(name);
    return { code, from, to: from === undefined ? from : squareOf(from) + Number(rows) * SIZE + Number(columns) };
  });
  const come = [...text.matchAll(APPEARED), ...text.matchAll(ARRIVED)].map(([, code = "", name]) => ({
    code,
    from: undefined,
    to: squareNamed(name),
  }));
  return [...shifted, ...come].map((step) => ({ ...step, fires: Infinity }));
}
