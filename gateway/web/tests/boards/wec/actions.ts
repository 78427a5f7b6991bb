/** What a server would list, made by hand for tests of the board of Weaponized Chess. */
import { create } from "@bufbuild/protobuf";
import { WecActionSchema, type WecAction, type WecArticle } from "@brettwerk/client/v1/wec";
import type { Choice, Say } from "../../../src/boards/board";

export const say: Say = (key, args = {}) => [key, ...Object.values(args)].join(" ");

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
