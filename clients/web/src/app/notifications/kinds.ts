/** The kinds of news that players can do without, in the order in which they are offered. */
import { News_Kind } from "@brettwerk/client/v1/news";

export const KINDS = [
  [News_Kind.YOUR_TURN, "kind.1"],
  [News_Kind.NUDGED, "kind.15"],
  [News_Kind.CHALLENGED, "kind.6"],
  [News_Kind.CHALLENGE_ANSWERED, "kind.7"],
  [News_Kind.PAIRED, "kind.9"],
  [News_Kind.ROUND, "kind.10"],
  [News_Kind.TOURNAMENT_OVER, "kind.11"],
  [News_Kind.TOURNAMENT_CANCELLED, "kind.12"],
  [News_Kind.ROUND_WAITS, "kind.60"],
  [News_Kind.CLUB_CHALLENGED, "kind.270"],
  [News_Kind.CLUB_CHALLENGE_ANSWERED, "kind.271"],
  [News_Kind.INVITED, "kind.5"],
  [News_Kind.PROPOSED, "kind.3"],
  [News_Kind.SEAT_TAKEN, "kind.2"],
  [News_Kind.GAME_OVER, "kind.4"],
  [News_Kind.RULED, "kind.21"],
  [News_Kind.VACATION_BEGUN, "kind.14"],
  [News_Kind.SUBSTITUTE_ASKED, "kind.17"],
  [News_Kind.SEAT_LOST, "kind.20"],
  [News_Kind.SEAT_OFFERED, "kind.16"],
  [News_Kind.SUBSTITUTED, "kind.18"],
  [News_Kind.SUBSTITUTE_REFUSED, "kind.19"],
  [News_Kind.REPORT_SEEN, "kind.51"],
  [News_Kind.WEBHOOK_OFF, "kind.13"],
] as const;

/** Returns the unwanted kinds once a kind is wanted or not. */
export function without(unwanted: readonly News_Kind[], kind: News_Kind, isWanted: boolean): News_Kind[] {
  const others = unwanted.filter((each) => each !== kind);
  return isWanted ? others : [...others, kind];
}
