/** Clubs in words. */
import { Club_Entry, Club_Role, type ClubMember } from "@brettwerk/client/v1/clubs";
import { Reason, type Refusal } from "@brettwerk/client/v1/errors";
import { refusalText } from "../refusal_text";
import { find } from "../text/text.svelte";
import { isKey, say, type ClubKey } from "./words";

/** The ways to join a club, the most private first. */
export const ENTRIES = [Club_Entry.LINK, Club_Entry.REQUEST, Club_Entry.OPEN] as const;
export type Entry = (typeof ENTRIES)[number];

const WAYS: Readonly<Record<Entry, ClubKey>> = {
  [Club_Entry.LINK]: "entry.1",
  [Club_Entry.REQUEST]: "entry.2",
  [Club_Entry.OPEN]: "entry.3",
};

const ROLES: Readonly<Record<Club_Role, ClubKey | undefined>> = {
  [Club_Role.UNSPECIFIED]: undefined,
  [Club_Role.ASKING]: "role.1",
  [Club_Role.MEMBER]: "role.2",
  [Club_Role.ORGANISER]: "role.3",
  [Club_Role.OWNER]: "role.4",
  [Club_Role.REMOVED]: "role.5",
};

/** Returns what a role is called; nothing for none. */
export function roleText(role: Club_Role): string {
  const key = ROLES[role];
  return key === undefined ? "" : say(key);
}

/** Returns how one joins a club. */
export function entryText(entry: Entry): string {
  return say(WAYS[entry]);
}

/** Returns how many members a club has. */
export function membersText(members: number): string {
  return say("members.count", { count: members });
}

/** Returns what somebody in a club is called. */
export function nameOf(member: Pick<ClubMember, "player">): string {
  return member.player?.name || say("gone");
}

/** Returns whether a role is a member's. */
export function isInside(role: Club_Role): boolean {
  return role === Club_Role.MEMBER || organises(role);
}

/** Returns whether a role is an organiser's. */
export function organises(role: Club_Role): boolean {
  return role === Club_Role.ORGANISER || role === Club_Role.OWNER;
}

/** Returns why something was refused; `ofAnother`: that was tried with another player. */
export function refusalWords(refusal: Refusal, ofAnother = false): string {
  const { reason, details, field } = refusal;
  let key = "";
  if (reason === Reason.CLUB) key = `refused.${details["club"] ?? ""}`;
  if (reason === Reason.BLOCKED) key = "refused.blocked";
  if (reason === Reason.UNKNOWN && details["what"] === "link") key = "refused.link";
  if (reason === Reason.FULL) key = `refused.full.${details["bound"] ?? ""}`;
  if (ofAnother && isKey(`${key}.another`)) key += ".another";
  if (reason === Reason.MALFORMED) key = `field.${field}`;
  // A word that the operator does not allow is named as it is at a table, and so is a rate.
  return isKey(key) ? say(key) : refusalText(refusal, find, "talk");
}
