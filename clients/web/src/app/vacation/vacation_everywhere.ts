/** Goes on vacation at all tables of a player, or comes back there. */
import { Reason } from "@brettwerk/client/v1/errors";
import { refusalOf } from "@brettwerk/client/wire";
import type { TableStatus } from "../news/table_status";
import { server } from "../server.svelte";

/** At how many tables it was done, at how many of them for fewer days than asked for, and at how many it was not possible. */
export interface Taken {
  readonly tables: number;
  readonly shorter: number;
  readonly failed: number;
}

/**
 * Takes vacation for so many days, or as many as a seat has left; 0 ends it. One table after the other: a player has 200 at most,
 * and the server bounds how many calls come at a time.
 */
export async function takeEverywhere(statuses: readonly TableStatus[], days: number): Promise<Taken> {
  let [tables, shorter, failed] = [0, 0, 0];
  for (const { session, vacations } of statuses) {
    const able = vacations.filter((each) => (days === 0 ? each.until !== undefined : each.days > 0));
    if (able.length === 0) continue;
    try {
      for (const each of able) await take(session.id, each.seat, Math.min(days, each.days));
      tables++;
      if (able.some((each) => each.days < days)) shorter++;
    } catch {
      failed++;
    }
  }
  return { tables, shorter, failed };
}

async function take(sessionId: string, seat: number, days: number): Promise<void> {
  const seatToken = server.wallet.seats(sessionId).get(seat);
  try {
    if (seatToken !== undefined) {
      await server.call("takeVacation", { sessionId, seatToken, days });
      return;
    }
  } catch (error) {
    if (refusalOf(error).reason !== Reason.NOT_YOUR_SEAT) throw error;
  }
  // The player sat down on another device, and has no token on this one, or an old one. The answer brings one.
  const { grant } = await server.call("joinSession", { sessionId, seat });
  await server.call("takeVacation", { sessionId, seatToken: grant?.seatToken ?? "", days });
}
