import { create } from "@bufbuild/protobuf";
import { Club_Entry, Club_Role, ClubMemberSchema } from "@brettwerk/client/v1/clubs";
import { Reason, RefusalSchema } from "@brettwerk/client/v1/errors";
import { expect, test } from "vitest";
import {
  ENTRIES,
  entryText,
  isInside,
  membersText,
  nameOf,
  organises,
  refusalWords,
  roleText,
} from "../../../src/app/clubs/club_text";

test("every role but none and every way to join has its word", () => {
  const roles = [Club_Role.ASKING, Club_Role.MEMBER, Club_Role.ORGANISER, Club_Role.OWNER, Club_Role.REMOVED];
  expect(new Set(roles.map(roleText)).size).toBe(roles.length);
  expect(roleText(Club_Role.UNSPECIFIED)).toBe("");
  expect(ENTRIES[0]).toBe(Club_Entry.LINK);
  expect(new Set(ENTRIES.map(entryText)).size).toBe(ENTRIES.length);
});

test("members are those who are let in, and organisers and the owner organise", () => {
  expect([Club_Role.ASKING, Club_Role.REMOVED, Club_Role.UNSPECIFIED].some(isInside)).toBe(false);
  expect([Club_Role.MEMBER, Club_Role.ORGANISER, Club_Role.OWNER].every(isInside)).toBe(true);
  expect(organises(Club_Role.MEMBER)).toBe(false);
});

test("a single member is not several", () => {
  expect(membersText(1)).toBe("1 member");
  expect(membersText(7)).toBe("7 members");
});

test("a member whose account is gone has a name all the same", () => {
  expect(nameOf(create(ClubMemberSchema))).toBe("Deleted account");
});

test.each([
  [Reason.CLUB, { club: "not_owner" }, "", "Only the owner can do that."],
  [Reason.FULL, { bound: "members" }, "", "The club is full."],
  [Reason.UNKNOWN, { what: "link" }, "", "This link does not work any more."],
  [
    Reason.MALFORMED,
    {},
    "name",
    "This name is empty, too long, or has characters that cannot be shown: 60 letters at most, fewer with accents.",
  ],
  [Reason.BLOCKED, {}, "", "You cannot join this player's clubs."],
])("a refusal is said in the words of clubs", (reason, details, field, words) => {
  expect(refusalWords(create(RefusalSchema, { reason, details: { ...details }, field }))).toBe(words);
});

test.each([
  [
    "own_clubs",
    "You already own five clubs, which is the limit.",
    "This member already owns five clubs, which is the limit.",
  ],
  ["members", "The club is full.", "The club is full."],
])("a bound is the reader's own or that of somebody whose role they change", (bound, own, another) => {
  const refusal = create(RefusalSchema, { reason: Reason.FULL, details: { bound } });
  expect(refusalWords(refusal)).toBe(own);
  expect(refusalWords(refusal, true)).toBe(another);
});
