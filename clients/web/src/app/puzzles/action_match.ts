/** Finds which of a puzzle's actions a board means that has put one together. */
import { create, toBinary, type Message } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import type { ActionChoice } from "@brettwerk/client/v1/games";
import { messageType, unpack } from "../../api/registry";

/** Fields that an action may have beyond those of a list of actions: how it looks, and how many of those it is about. */
const BESIDES = ["path", "armies"];

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the listed action that is the built one; else one that differs only by a way, or by a number, then the closest: lists
 * have only some numbers, and what the puzzle says of an action names the listed one.
 */
export function matching(actions: readonly ActionChoice[], built: Any): ActionChoice | undefined {
  const exact = actions.find(({ action }) => action !== undefined && hasSameBytes(action.value, built.value));
  if (exact !== undefined) return exact;
  const wanted = inner(unpack(built));
  if (wanted === undefined) return undefined;
  let [best, least]: [ActionChoice | undefined, number] = [undefined, Infinity];
  for (const each of actions) {
    const found = inner(unpack(each.action));
    if (found?.kind !== wanted.kind || core(found.value) !== core(wanted.value)) continue;
    const apart = Math.abs(count(found.value) - count(wanted.value));
    if (apart < least) [best, least] = [each, apart];
  }
  return best;
}

function inner(message: Message | undefined): { kind: string; value: Fields } | undefined {
  const kind = (message as { kind?: { case?: string; value?: unknown } } | undefined)?.kind;
  if (kind?.case === undefined || typeof kind.value !== "object" || kind.value === null) return undefined;
  return { kind: kind.case, value: kind.value as Fields };
}

/** The part that must be the same, as a string. */
function core(value: Fields): string {
  const type = messageType(typeof value["$typeName"] === "string" ? value["$typeName"] : "");
  if (type === undefined) return JSON.stringify(value);
  const bare = Object.fromEntries(
    Object.entries(value).filter(([name]) => !name.startsWith("$") && !BESIDES.includes(name)),
  );
  return [...toBinary(type, create(type, bare))].join();
}

const count = (value: Fields): number => (typeof value["armies"] === "number" ? value["armies"] || 1000 : 0);

function hasSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
