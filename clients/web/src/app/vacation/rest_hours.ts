/** The player's rest hours: kept on the device, and set at each table where they do not count. */
import type { RestHours } from "@brettwerk/client/v1/rest_hours";
import { timeZone } from "../notifications/push";
import { server } from "../server.svelte";
import { settings } from "../settings.svelte";
import type { Rest } from "../settings_file";

/** The hours that a form offers to a player who has not chosen any yet. */
export const USUAL_REST: Rest = { nightFrom: 22 * 60, nightUntil: 8 * 60, weekends: true };

/** The longest night that the server allows, in minutes. */
const LONGEST = 12 * 60;

/** Returns whether the server would take such a night. */
export function isNight({ nightFrom, nightUntil }: Rest): boolean {
  return (nightUntil - nightFrom + 1440) % 1440 <= LONGEST;
}

/** Returns what a seat's hours mean for a form. */
export function restOf(hours: RestHours | Rest): Rest {
  const { nightFrom, nightUntil, weekends } = hours;
  return { nightFrom, nightUntil, weekends };
}

/** Sets the hours of a seat, in the time zone of this device, and keeps them for other tables. */
export async function setRestHours(sessionId: string, seatToken: string, rest: Rest): Promise<void> {
  await server.call("setRestHours", { sessionId, seatToken, hours: { ...rest, timeZone: timeZone() } });
  settings.rest = rest;
}

/** A seat's hours, and until when they stay, in milliseconds since 1970. */
export interface SeatRest {
  readonly hours: RestHours | undefined;
  readonly until: number;
}

/** Returns the hours of a seat. Where it has none, those that the player keeps are set first. */
export async function seatRest(sessionId: string, seatToken: string): Promise<SeatRest> {
  const found = await server.call("getRestHours", { sessionId, seatToken });
  if (found.hours === undefined && settings.rest !== undefined) {
    await setRestHours(sessionId, seatToken, settings.rest);
    return seatRest(sessionId, seatToken);
  }
  return { hours: found.hours, until: Number(found.setUntilMs) };
}
