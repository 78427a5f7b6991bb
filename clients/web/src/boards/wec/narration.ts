/** The events of an action in words. */
import type { WecEvent, WecTexts } from "@brettwerk/client/v1/wec";
import type { Say, Narration } from "../board";
import { kindOf, lookOf } from "./kinds";
import { inWords } from "./notation_text";
import { placeNamed, SIZE, squareOf } from "./squares";
import { blastsIn } from "./turn_strings";

const PLACE = String.raw`[v^]?\((?:\d+,\d+|\?,\?)\)`;
const PIECE = String.raw`([A-Z]+)(${PLACE})[0-9A-Z]*[<>]?`;
/** The fate of a piece, by the text that precedes it. */
const BEFELL: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw`^(?:FK|RK|TK|SK|STK|CK|XK)\*${PIECE}`), "board.wec.narration.lost"],
  [new RegExp(String.raw`^ST\*${PIECE}`), "board.wec.narration.stunned"],
  [new RegExp(String.raw`^CS\*${PIECE}`), "board.wec.narration.converted"],
  [new RegExp(String.raw`^BP\*${PIECE}`), "board.wec.narration.bumped"],
  [new RegExp(String.raw`^[RST]\*${PIECE}`), "board.wec.narration.countered"],
  [new RegExp(String.raw`^[A-Z?]+\*${PIECE}`), "board.wec.narration.taken"],
];
/** A step, or the end of a way, of what flies or of a piece in transit. */
const WENT = new RegExp(String.raw`^([A-Z]+)->(${PLACE})\((-?\d+),(-?\d+)\)`);
const ENDED = new RegExp(String.raw`^([A-Z]+)v(${PLACE})`);
const FLYING: Readonly<Record<string, string>> = { R: "rocket", S: "sam", T: "torpedo" };

/** Returns what an eye reads of a text. */
function read(texts: WecTexts | undefined): string {
  return texts === undefined ? "" : texts.black || texts.white || texts.spectator;
}

/** Returns the events of a step as they are spoken: what was done, then what came of it. */
export function narrate(events: readonly unknown[], say: Say): Narration {
  const happened = events as readonly WecEvent[];
  const acts = happened.flatMap(({ kind }) => (kind.case === "acted" ? [read(kind.value.texts)] : []));
  const results = happened.flatMap(({ kind }) => (kind.case === "happened" ? [read(kind.value)] : []));
  const ends = happened.some(({ kind }) => kind.case === "written");
  const blasts = new Set(blastsIn(results.join(",")));
  const captures = results.some((text) => /K\*|^[A-Z?]+\*/.test(text) && !/^(?:ST|CS|BP|[RST])\*/.test(text));
  const blast = results.some((text) => /^(?:[RST]|FK|RK|TK|SK)\*/.test(text) || explodes(text, blasts));
  return {
    action: join(acts.map((text) => inWords(text, say))) || (ends ? say("board.wec.narration.ended") : ""),
    after: join(results.map((text) => result(text, blasts, say))),
    captures,
    ...(blast ? { heard: "blast" } : acts.some((text) => text.startsWith("FI")) && { heard: "shot" }),
  };
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(". ");
}

function explodes(text: string, blasts: ReadonlySet<number>): boolean {
  const [, code = "", place = ""] = ENDED.exec(text) ?? [];
  return code in FLYING && blasts.has(placeNamed(place) ?? -1);
}

/** Returns a result in words; what cannot be read of it was not seen. */
function result(text: string, blasts: ReadonlySet<number>, say: Say): string {
  if (text === "") return "";
  for (const [pattern, key] of BEFELL) {
    const [, code = "", place] = pattern.exec(text) ?? [];
    if (place !== undefined) return say(key, { kind: kind(code), square: square(place) });
  }
  const [, mover, from = "", rows, columns] = WENT.exec(text) ?? [];
  if (mover !== undefined) {
    const to = square(from, Number(rows), Number(columns));
    return mover in FLYING
      ? say("board.wec.narration.flew", { projectile: projectile(mover), square: to })
      : say("board.wec.narration.travels", { kind: kind(mover), square: to });
  }
  const [, ended, place = ""] = ENDED.exec(text) ?? [];
  if (ended === undefined) return say("board.wec.narration.unseen");
  if (!(ended in FLYING)) return say("board.wec.narration.arrived", { kind: kind(ended), square: square(place) });
  const args = { projectile: projectile(ended), square: square(place) };
  return explodes(text, blasts) ? say("board.wec.narration.exploded", args) : say("board.wec.narration.flown", args);

  function kind(code: string): string {
    return say(`kind.${lookOf(kindOf(code)).key}`);
  }

  function projectile(code: string): string {
    return say(`projectile.${FLYING[code] ?? ""}`);
  }

  /** A square as it is spoken: row and column. */
  function square(name: string, down = 0, right = 0): string {
    const at = placeNamed(name);
    if (at === undefined) return "?";
    return `${Math.floor(squareOf(at) / SIZE) + 1 + down}, ${(squareOf(at) % SIZE) + 1 + right}`;
  }
}
