/** One action of the notation (WEC-NOTATION-1, WEC-RUL-52) in words. What its reader did not see is not in it. */
import type { Say } from "../board";
import { articleKey } from "./orders";
import { ALL_ARTICLES, articleLook, kindOf, lookOf } from "./kinds";

const PLACE = String.raw`[v^]?\((?:\d+,\d+|\?,\?)\)`;
const PIECE = String.raw`(?:[A-Z]+${PLACE}(?:\d[A-Z]+)?[<>]?(?:#\d)?|\?)`;
const MOVE = new RegExp(String.raw`^MV:(${PIECE})->(${PLACE})(,DO>|-TRA->)?`);
const FIRE = new RegExp(String.raw`^FI\d*:([A-Z]+)/(${PIECE})(?:->(${PLACE})[<>]?|=>(${PIECE}))$`);
const TAKE = new RegExp(String.raw`^(PU|DR):(${PIECE})[v^]([A-Z]+)$`);
const EXCHANGE = new RegExp(String.raw`^EX:(${PIECE})->([A-Z]+)(?:<=>([A-Z]+)<-|->)(${PIECE})$`);
const REINFORCE = new RegExp(String.raw`^RE:(${PLACE})([A-Z]+)[<>]?$`);
const NAMED = new RegExp(String.raw`^([A-Z]+)(${PLACE})`);
const LEVELS: Readonly<Record<string, string>> = { "^": "air", v: "sub" };
const TRANSPORTS: readonly string[] = ["BI", "JP", "JU", "SC"];

/** Returns an action in words; empty for what is none. */
export function inWords(notation: string, say: Say): string {
  const phrase = (key: string, args: Readonly<Record<string, string>> = {}): string =>
    say(`board.wec.narration.${key}`, args);
  if (notation === "END") return phrase("ended");
  if (notation === "?") return phrase("unseen");
  const moved = MOVE.exec(notation);
  if (moved !== null) {
    const [, mover = "", to = "", way] = moved;
    const key = way === undefined ? "moved" : way === ",DO>" ? "dozed" : "carried";
    return phrase(key, { ...piece(mover), to: place(to) });
  }
  const fired = FIRE.exec(notation);
  if (fired !== null) {
    const [, code = "", who = "", to, aim] = fired;
    const args = { ...piece(who), article: article(code) };
    if (aim !== undefined) return phrase("homed", { ...args, aim: whole(aim) });
    if (!TRANSPORTS.includes(code)) return phrase("fired", { ...args, to: place(to ?? "") });
    return to?.includes("?") === true ? phrase("left", args) : phrase("travelled", { ...args, to: place(to ?? "") });
  }
  const taken = TAKE.exec(notation);
  if (taken !== null) {
    const [, kind, who = "", code = ""] = taken;
    return phrase(kind === "PU" ? "picked" : "dropped", { ...piece(who), article: article(code) });
  }
  const exchanged = EXCHANGE.exec(notation);
  if (exchanged !== null) {
    const [, one = "", given = "", back, other = ""] = exchanged;
    const args = { ...piece(one), article: article(given), aim: whole(other) };
    return back === undefined ? phrase("given", args) : phrase("swapped", { ...args, back: article(back) });
  }
  const called = REINFORCE.exec(notation);
  if (called !== null) return phrase("reinforced", { to: place(called[1] ?? ""), kind: kind(called[2] ?? "") });
  return "";

  function kind(code: string): string {
    return say(`kind.${lookOf(kindOf(code)).key}`);
  }

  function article(code: string): string {
    const sought = code === "JU" ? "JP" : code;
    return say(articleKey(ALL_ARTICLES.find((each) => articleLook(each).code === sought) ?? 0));
  }

  function place(name: string): string {
    const [, sign = "", row = "", column = ""] = /^([v^]?)\((.+),(.+)\)$/.exec(name) ?? [];
    const level = LEVELS[sign];
    return level === undefined ? `${row}, ${column}` : `${row}, ${column} (${say(`board.wec.level.${level}`)})`;
  }

  function piece(name: string): { kind: string; from: string } {
    const [, code = "", where = "(?,?)"] = NAMED.exec(name) ?? [];
    return { kind: kind(code), from: place(where) };
  }

  function whole(name: string): string {
    const { kind: what, from } = piece(name);
    return phrase("piece", { kind: what, square: from });
  }
}
