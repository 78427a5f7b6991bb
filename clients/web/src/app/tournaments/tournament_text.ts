/** Tournaments in words. */
import { Reason, type Refusal } from "@brettwerk/client/v1/errors";
import {
  Tournament_Kind,
  Tournament_State,
  type Pairing,
  type Standing,
  type Tournament,
} from "@brettwerk/client/v1/tournaments";
import { games } from "../games.svelte";
import { refusalText } from "../refusal_text";
import { clockText } from "../table/clock/clock";
import { find, moment, number } from "../text/text.svelte";
import { isKey, say, type TournamentKey } from "./words";

const STATES: Readonly<Record<Tournament_State, TournamentKey | undefined>> = {
  [Tournament_State.UNSPECIFIED]: undefined,
  [Tournament_State.OPEN]: "state.1",
  [Tournament_State.RUNNING]: "state.2",
  [Tournament_State.FINISHED]: "state.3",
  [Tournament_State.CANCELLED]: "state.4",
};
const FULL: Readonly<Record<string, TournamentKey | undefined>> = {
  tournaments: "full.tournaments",
  own_tournaments: "full.own_tournaments",
  joined_tournaments: "full.joined_tournaments",
  players: "full.players",
  forbidden_pairs: "full.forbidden_pairs",
  series: "full.series",
  own_series: "full.own_series",
  joined_series: "full.joined_series",
};

/** Returns why something was refused. */
export function refusalWords(refusal: Refusal): string {
  const { reason, details, field } = refusal;
  let key = "";
  if (reason === Reason.TOURNAMENT) key = `refused.${details["tournament"] ?? ""}`;
  if (reason === Reason.FULL) key = FULL[details["bound"] ?? ""] ?? "";
  if (reason === Reason.MALFORMED) key = `field.${field}`;
  // A word that the operator does not allow is named as it is at a table.
  const about = reason === Reason.WORD_NOT_ALLOWED ? "talk" : "";
  return isKey(key) ? say(key) : refusalText(refusal, find, about);
}

/** Returns what is played: the game, the clock and the kind of tournament. */
export function settingsText({
  game,
  clock,
  kind,
  seats,
  durationS,
  friendly,
}: Pick<Tournament, "game" | "clock" | "kind" | "seats" | "durationS" | "friendly">): string {
  const tables = seats > 2 ? say("seats.each", { count: number(seats) }) : "";
  const lasts = durationS > 0 ? durationText(durationS) : "";
  const counts = friendly ? say("friendly.short") : "";
  return [games.nameOf(game), clockText(clock), kindText(kind), tables, lasts, counts]
    .filter((part) => part !== "")
    .join(" · ");
}

const KINDS: Readonly<Record<Tournament_Kind, TournamentKey | undefined>> = {
  [Tournament_Kind.UNSPECIFIED]: undefined,
  [Tournament_Kind.ROUND_ROBIN]: "kind.1",
  [Tournament_Kind.SWISS]: "kind.2",
  [Tournament_Kind.KNOCK_OUT]: "kind.3",
  [Tournament_Kind.TABLES]: "kind.4",
  [Tournament_Kind.GROUPS]: "kind.5",
  [Tournament_Kind.ONE_AGAINST_MANY]: "kind.6",
  [Tournament_Kind.ARENA]: "kind.40",
  [Tournament_Kind.CLUB_MATCH]: "kind.270",
};

/** Returns what a kind of tournament is called; nothing for one of a newer server. */
function kindText(kind: Tournament_Kind): string {
  const key = KINDS[kind];
  return key === undefined ? "" : say(key);
}

/** Returns whether a round belongs to a knock-out. */
export function isOfKnockOut(round: number, { kind, groupRounds }: Pick<Tournament, "kind" | "groupRounds">): boolean {
  return (kind === Tournament_Kind.KNOCK_OUT || kind === Tournament_Kind.GROUPS) && round > groupRounds;
}

/** Returns what a round is called: the last ones of a knock-out have names. */
export function roundText(
  round: number,
  { kind, rounds, groupRounds }: Pick<Tournament, "kind" | "rounds" | "groupRounds">,
): string {
  const names = ["final", "semifinals", "quarterfinals"] as const;
  const name = isOfKnockOut(round, { kind, groupRounds }) ? names[rounds - round] : undefined;
  return name === undefined ? say("pairings", { round: number(round) }) : say(name);
}

/** Returns whether an arena is so near its end that nobody is paired any more: half the clock's time, 30 s to 2 minutes. */
export function isClosed({ clock, endsAtMs }: Pick<Tournament, "clock" | "endsAtMs">, now: number): boolean {
  const half = Number(clock?.timeMs ?? 0n) / 2;
  return Number(endsAtMs) - now <= Math.max(30_000, Math.min(120_000, half));
}

/** Returns how far a tournament is that runs. */
export function progressText(tournament: Tournament): string {
  const { kind, round, rounds, endsAtMs } = tournament;
  if (kind === Tournament_Kind.ARENA) return say("until", { time: moment(Number(endsAtMs)) });
  return say("round", { round: number(round), rounds: number(rounds) });
}

/** Returns how long an arena lasts. */
export function durationText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes >= 120 && minutes % 60 === 0
    ? say("duration.hours", { count: minutes / 60 })
    : say("duration.minutes", { count: minutes });
}

/** Returns in what state a tournament is. */
export function stateText(tournament: Tournament): string {
  const key = STATES[tournament.state];
  return key === undefined ? "" : say(key);
}

/** Returns who sits at a pairing's table, by their numbers and in turn order, with their points. */
export function seatsOf({ first, second, firstPoints, secondPoints, others, otherPoints }: Pairing): {
  number: number;
  points: number;
}[] {
  const seated = [
    { number: first, points: firstPoints },
    { number: second, points: secondPoints },
    ...others.map((each, index) => ({ number: each, points: otherPoints[index] ?? 0 })),
  ];
  return seated.filter((each) => each.number !== 0);
}

/** Returns points as they are written: ½, 1, 2½; quarters, which Sonneborn-Berger has, as decimals. */
export function pointsText(points: number, language: string): string {
  const whole = Math.trunc(points);
  if (points === whole) return String(whole);
  if (points - whole === 0.5) return whole === 0 ? "½" : `${String(whole)}½`;
  return new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(points);
}

/** Returns what a group is called. */
export function groupText(group: number): string {
  return say("group", { name: String.fromCodePoint(64 + group) });
}

/** Returns what a player of a tournament is called. */
export function nameOf(standing: Standing | undefined): string {
  return standing?.player?.name || say("gone");
}
