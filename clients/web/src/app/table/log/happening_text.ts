/** The happenings at a table, in words. */
import { Happening_Kind, type Happening } from "@brettwerk/client/v1/sessions";
import { Acted_Cause } from "@brettwerk/client/v1/record";
import { personName } from "../../bots/bot_name";
import type { Key } from "../../text/text.svelte";

const keys: Readonly<Partial<Record<Happening_Kind, Key>>> = {
  [Happening_Kind.STARTED]: "happened.started",
  [Happening_Kind.ACTED]: "happened.acted",
  [Happening_Kind.RESIGNED]: "happened.resigned",
  [Happening_Kind.FLAGGED]: "happened.flagged",
  [Happening_Kind.DRAWN]: "happened.drawn",
  [Happening_Kind.OPTIONS]: "happened.options",
  [Happening_Kind.UNDONE]: "happened.undone",
  [Happening_Kind.PROPOSED]: "happened.proposed",
  [Happening_Kind.DECLINED]: "happened.declined",
  [Happening_Kind.PAUSED]: "happened.paused",
  [Happening_Kind.RESUMED]: "happened.resumed",
  [Happening_Kind.REMATCHED]: "happened.rematched",
  [Happening_Kind.SEAT]: "happened.seat",
  [Happening_Kind.LOADED]: "happened.loaded",
  [Happening_Kind.CREDITED]: "happened.credited",
  [Happening_Kind.TOLD]: "happened.told",
  [Happening_Kind.CLOSED]: "happened.closed",
  [Happening_Kind.WISHED]: "happened.wished",
  [Happening_Kind.DEALT]: "happened.dealt",
  [Happening_Kind.CHANCE_RENEWED]: "happened.renewed",
  [Happening_Kind.VACATION]: "happened.vacation",
  [Happening_Kind.VACATION_ENDED]: "happened.back",
  [Happening_Kind.REST_HOURS]: "happened.rest",
  [Happening_Kind.NUDGED]: "happened.nudged",
  [Happening_Kind.HELP]: "happened.help",
  [Happening_Kind.HELP_ENDED]: "happened.help.ended",
  [Happening_Kind.SEAT_OFFERED]: "happened.offered",
  [Happening_Kind.SUBSTITUTE_ASKED]: "happened.asked",
  [Happening_Kind.SUBSTITUTE_ACCEPTED]: "happened.agreed",
  [Happening_Kind.SUBSTITUTE_DECLINED]: "happened.refused",
  [Happening_Kind.HINTED]: "happened.hinted",
  [Happening_Kind.ARBITER_NAMED]: "happened.arbiter",
  [Happening_Kind.ARBITER_WITHDRAWN]: "happened.arbiter.gone",
  [Happening_Kind.RULED]: "happened.ruled",
};

const causes: Readonly<Partial<Record<Acted_Cause, Key>>> = {
  [Acted_Cause.TIME]: "happened.acted.time",
  [Acted_Cause.FALLBACK]: "happened.acted.fallback",
};

/** Returns whether a computer's move was played that it has not thought about. */
export function isThoughtless(happening: Happening | undefined): boolean {
  return happening?.cause === Acted_Cause.FALLBACK;
}

/** Returns what happened in a sentence, an action in the words of `action` if there are any; empty for what nobody needs to know. */
export function happeningText(
  happening: Happening | undefined,
  seatName: (seat: number) => string,
  t: (key: Key, args: Record<string, string>) => string,
  action?: string,
): string {
  if (happening === undefined) return "";
  const ruled = happening.cause === Acted_Cause.ARBITER && happening.kind === Happening_Kind.RESIGNED;
  const key = ruled ? "happened.forfeited" : (causes[happening.cause] ?? keys[happening.kind]);
  if (key === undefined) return "";
  const seat = happening.concernedSeat === undefined ? "" : seatName(happening.concernedSeat);
  const { arbiter, ruling } = happening.arbitration ?? {};
  const name = arbiter === undefined ? "" : personName(arbiter);
  return t(key, { seat, notation: action || happening.notation, name, reason: ruling?.reason ?? "" });
}
