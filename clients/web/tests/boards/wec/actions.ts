/** Actions as a server lists them, and a board's props, made by hand for tests of the board of Weaponized Chess. */
import { create } from "@bufbuild/protobuf";
import type { Effect } from "@brettwerk/client/v1/games";
import { WecActionSchema, type WecAction, type WecArticle } from "@brettwerk/client/v1/wec";
import type { BoardProps, Choice, Say } from "../../../src/boards/board";

export const say: Say = (key, args = {}) => [key, ...Object.values(args)].join(" ");

/** Returns what a board is given that shows a view to somebody who may do nothing. */
export function given(view: BoardProps["view"]): BoardProps {
  return {
    view,
    choices: [],
    events: [],
    advice: [],
    seats: [],
    settings: { autoplay: true, roll: "agreed", flipped: false },
    kept: {},
    more: false,
    busy: false,
    say,
    onchoose: () => undefined,
    onbuild: () => undefined,
    onmore: () => undefined,
    onkeep: () => undefined,
  };
}

export function choices(...kinds: WecAction["kind"][]): Choice[] {
  return kinds.map((kind, key) => ({
    key,
    places: [],
    notation: `n${key}`,
    label: `l${key}`,
    action: create(WecActionSchema, { kind }),
  }));
}

/** Returns the choices with what the rules say that some of them do, by their keys. */
export function doing(list: readonly Choice[], effects: Readonly<Record<number, readonly Effect[]>>): Choice[] {
  return list.map((choice) => ({ ...choice, effects: effects[choice.key] ?? [] }));
}

export const move = (piece: number, place: number, carry = false): WecAction["kind"] =>
  create(WecActionSchema, { kind: { case: "move", value: { piece, place, carry } } }).kind;
export const fire = (piece: number, weapon: WecArticle, direction: number): WecAction["kind"] =>
  create(WecActionSchema, { kind: { case: "fire", value: { piece, weapon, direction } } }).kind;
export const travel = (piece: number, transport: WecArticle, square: number): WecAction["kind"] =>
  create(WecActionSchema, { kind: { case: "travel", value: { piece, transport, square } } }).kind;
export const pickUp = (piece: number, article: WecArticle): WecAction["kind"] =>
  create(WecActionSchema, { kind: { case: "pickUp", value: { piece, article } } }).kind;
export const give = (piece: number, article: WecArticle, other: number): WecAction["kind"] =>
  create(WecActionSchema, { kind: { case: "exchange", value: { piece, article, other } } }).kind;
export const end: WecAction["kind"] = create(WecActionSchema, { kind: { case: "endTurn", value: {} } }).kind;
