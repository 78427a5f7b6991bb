/**
 * Reads what the server says. The actions that a player may do make up most of it, and most of them are listed again in the next
 * position: one that was listed before is the message of then, found by its bytes.
 */
import { fromBinary } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { ActionChoiceSchema, type ActionChoice } from "@brettwerk/client/v1/games";
import {
  AnswerSchema,
  ConnectResponseSchema,
  ListActionsResponseSchema,
  ResyncSchema,
  WatchResponseSchema,
  type ConnectResponse,
} from "@brettwerk/client/v1/play";
import { UpdateSchema } from "@brettwerk/client/v1/sessions";

/** How many actions are remembered; what comes after that begins anew. */
const MAX_KNOWN = 8_000;
const LISTED = "actions";
const LISTED_IN_UPDATE: Ways = { [UpdateSchema.field.actions.number]: LISTED };
/** The fields that lead from a response to actions: of an answer, of an update, and of an update that a watch begins with. */
const WAYS: Ways = {
  [ConnectResponseSchema.field.answer.number]: {
    [AnswerSchema.field.listActions.number]: { [ListActionsResponseSchema.field.actions.number]: LISTED },
  },
  [ConnectResponseSchema.field.watch.number]: {
    [WatchResponseSchema.field.update.number]: LISTED_IN_UPDATE,
    [WatchResponseSchema.field.resync.number]: { [ResyncSchema.field.update.number]: LISTED_IN_UPDATE },
  },
};

interface Ways {
  readonly [field: number]: Ways | typeof LISTED;
}

export class ListedActions {
  readonly #known = new Map<number, { readonly bytes: Uint8Array; readonly action: ActionChoice }>();

  /** Returns the response in a frame, whose actions nobody may change. Raises an Error when the frame is none. */
  read(frame: Uint8Array): ConnectResponse {
    const listed: Uint8Array[] = [];
    const rest = without(frame, WAYS, listed);
    const response = fromBinary(ConnectResponseSchema, listed.length === 0 ? frame : joined(rest));
    const list = listIn(response);
    if (list !== undefined && listed.length > 0) list.actions = listed.map((bytes) => this.#action(bytes));
    return response;
  }

  #action(bytes: Uint8Array): ActionChoice {
    const name = digest(bytes);
    const known = this.#known.get(name);
    if (known !== undefined && isSame(known.bytes, bytes)) return known.action;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    // A copy: whoever keeps a part of a frame keeps all of it.
    const own = bytes.slice();
    const action = fromBinary(ActionChoiceSchema, own);
    this.#known.set(name, { bytes: own, action });
    return action;
  }
}

/** Returns the parts of a message without the listed actions, which it adds to `listed`. */
function without(message: Uint8Array, ways: Ways, listed: Uint8Array[]): Uint8Array[] {
  const reader = new BinaryReader(message);
  const parts: Uint8Array[] = [];
  let from = 0;
  while (reader.pos < reader.len) {
    const begins = reader.pos;
    const [field, type] = reader.tag();
    const way = ways[field];
    if (way === undefined || type !== WireType.LengthDelimited) {
      reader.skip(type, field);
      continue;
    }
    const tagged = reader.pos;
    const inner = reader.bytes();
    parts.push(message.subarray(from, begins));
    from = reader.pos;
    if (way === LISTED) {
      listed.push(inner);
      continue;
    }
    const rest = without(inner, way, listed);
    parts.push(message.subarray(begins, tagged), length(rest), ...rest);
  }
  return [...parts, message.subarray(from)];
}

/** Returns how the length of what stands in these parts is written. */
function length(parts: readonly Uint8Array[]): Uint8Array {
  const bytes: number[] = [];
  let left = sizeOf(parts);
  for (; left > 127; left >>>= 7) bytes.push((left & 127) | 128);
  return Uint8Array.of(...bytes, left);
}

function sizeOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(sizeOf(parts));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Returns what holds the actions of a response. */
function listIn({ kind }: ConnectResponse): { actions: ActionChoice[] } | undefined {
  if (kind.case === "answer") return kind.value.response.case === "listActions" ? kind.value.response.value : undefined;
  if (kind.case !== "watch") return undefined;
  const { kind: said } = kind.value;
  return said.case === "update" ? said.value : said.case === "resync" ? said.value.update : undefined;
}

function digest(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at++) sum = (Math.imul(sum, 31) + (bytes[at] ?? 0)) | 0;
  return sum;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
