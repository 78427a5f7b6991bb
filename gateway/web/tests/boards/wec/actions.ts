/** What a server would list, and a board would be given, made by hand for tests of the board of Weaponized Chess. */
import { create } from "@bufbuild/protobuf";
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

export const move = (piece: number, place: number, carry = false): WecAction["kind"] =>
  create(WecActionSchema, { kind: { case: "move", value: { piece, place, carry } } }).kind;
export const fire = (piece: number, weapon: WecArticle, direction: number): WecAction["kind"] =>
  create(WecActionSchema, { kind: { case: "fire", value: { piece, weapon, direction } } }).kind;
export const end: WecAction["kind"] = create(WecActionSchema, { kind: { case: "endTurn", value: {} } }).kind;
