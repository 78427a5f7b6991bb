/** Matches of clubs in words. */
import { Reason, type Refusal } from "@brettwerk/client/v1/errors";
import {
  ClubMatch_Answer,
  Tournament_State,
  type ClubMatch,
  type MatchClub,
  type Standing,
  type Tournament,
} from "@brettwerk/client/v1/tournaments";
import { organises } from "../clubs/club_text";
import { games } from "../games.svelte";
import { settings } from "../settings.svelte";
import { clockText } from "../table/clock/clock";
import { number } from "../text/text.svelte";
import { pointsText, refusalWords as wordsOfTournaments, stateText } from "../tournaments/tournament_text";
import { say as sayOfTournaments } from "../tournaments/words";
import { isKey, say, type ClubMatchKey } from "./words";

/** The clubs of a match by the numbers that standings have for them. */
export const CLUBS = [1, 2] as const;
export type ClubNumber = (typeof CLUBS)[number];

const ANSWERS: Readonly<Record<ClubMatch_Answer, ClubMatchKey | undefined>> = {
  [ClubMatch_Answer.UNSPECIFIED]: undefined,
  [ClubMatch_Answer.OPEN]: "answer.1",
  [ClubMatch_Answer.ACCEPTED]: undefined,
  [ClubMatch_Answer.DECLINED]: "answer.3",
  [ClubMatch_Answer.WITHDRAWN]: "answer.4",
  [ClubMatch_Answer.LAPSED]: "answer.5",
};

/** Returns one of the clubs of a match. */
export function clubOf({ challenger, challenged }: ClubMatch, club: ClubNumber): MatchClub | undefined {
  return club === 1 ? challenger : challenged;
}

/** Returns what a club of a match is called. */
export function nameOf(match: ClubMatch, club: ClubNumber): string {
  return clubOf(match, club)?.name ?? say("club.other");
}

/** Returns the clubs of a match that the player organises. */
export function organised(match: ClubMatch): ClubNumber[] {
  return CLUBS.filter((club) => organises(clubOf(match, club)?.role ?? 0));
}

/** Returns how a match stands: 3½ : 2½. */
export function scoreText({ challenger, challenged }: ClubMatch): string {
  const points = [challenger, challenged].map((one) => pointsText(one?.points ?? 0, settings.language));
  return points.join(" : ");
}

/** Returns whether a match has begun. */
export function hasBegun({ state, round }: Tournament): boolean {
  return state === Tournament_State.RUNNING || (state === Tournament_State.FINISHED && round > 0);
}

/** Returns in what state a match is, or what has become of the challenge. */
export function matchStateText(tournament: Tournament): string {
  const key = ANSWERS[tournament.clubMatch?.answer ?? ClubMatch_Answer.UNSPECIFIED];
  return key === undefined ? stateText(tournament) : say(key);
}

/** Returns who has won a match that is over; nothing before. */
export function outcomeText({ state, clubMatch }: Tournament): string {
  if (state !== Tournament_State.FINISHED || clubMatch === undefined) return "";
  const lead = (clubMatch.challenger?.points ?? 0) - (clubMatch.challenged?.points ?? 0);
  return lead === 0 ? say("drawn") : say("won", { name: nameOf(clubMatch, lead > 0 ? 1 : 2) });
}

/** Returns what is played: the game, the clock, the boards. */
export function termsText({ game, clock, seats, friendly, clubMatch }: Tournament): string {
  if (clubMatch === undefined) return "";
  const { boards, minBoards, maxBoards } = clubMatch;
  const found = [games.nameOf(game), clockText(clock)];
  if (seats > 2) found.push(`${say("seats")}: ${number(seats)}`);
  if (clubMatch.games > 1) found.push(say("games.two"));
  if (boards > 0) found.push(say("boards.count", { count: boards }));
  else found.push(say("boards.range", { least: number(minBoards), most: number(maxBoards) }));
  if (friendly) found.push(sayOfTournaments("friendly.short"));
  return found.filter((part) => part !== "").join(" · ");
}

/** Returns those of some standings who play for a club. */
export function playersOf(standings: readonly Standing[], club: ClubNumber): Standing[] {
  return standings.filter((one) => one.club === club);
}

/** Returns why something was refused. */
export function refusalWords(refusal: Refusal): string {
  const { reason, details, field } = refusal;
  let key = "";
  if (reason === Reason.TOURNAMENT) key = `refused.${details["tournament"] ?? ""}`;
  if (reason === Reason.CLUB) key = `refused.${details["club"] ?? ""}`;
  if (reason === Reason.BLOCKED) key = "refused.blocked";
  if (reason === Reason.UNKNOWN && details["what"] === "club") key = "refused.club";
  if (reason === Reason.FULL) key = `refused.full.${details["bound"] ?? ""}`;
  if (reason === Reason.MALFORMED) key = `field.${field}`;
  return isKey(key) ? say(key) : wordsOfTournaments(refusal);
}
