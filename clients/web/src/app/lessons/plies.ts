/** The actions played at the table of a lesson, as they are judged. */
import { toJson, type Message } from "@bufbuild/protobuf";
import type { Update } from "@brettwerk/client/v1/sessions";
import { messageType, registry, unpack } from "../../api/registry";
import { eventsOf } from "../table/state/recent_events";
import type { Json, Played } from "./verdict";

const known = new WeakMap<Update, Played>();

function jsonOf(message: unknown): Json {
  const type = isMessage(message) ? messageType(message.$typeName) : undefined;
  return type === undefined ? undefined : toJson(type, message as Message, { registry });
}

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && "$typeName" in value;
}

/** Returns plies as they are judged for the player at a seat. */
export function playedAt(seat: number, plies: readonly Update[]): readonly Played[] {
  return plies.map((update) => {
    let played = known.get(update);
    if (played === undefined) {
      const own = update.happening?.concernedSeat === seat;
      played = { own, events: eventsOf(update).map(jsonOf), view: jsonOf(unpack(update.view)) };
      known.set(update, played);
    }
    return played;
  });
}
