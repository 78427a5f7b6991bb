import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { Reason, RefusalSchema } from "@brettwerk/client/v1/errors";
import { refusalText } from "../../src/app/refusal_text";

const catalogue: Readonly<Record<string, string>> = {
  "rule.EWN-TURN-3": "You rolled {roll}: {allowed}.",
  "reason.NOT_YOUR_TURN": "Not your turn.",
  "reason.MALFORMED": "Not readable.",
  "reason.FULL": "No room.",
  "field.name": "A name is short.",
  "refused.bound.computers": "All computers are busy.",
  "refused.left_out": "This game is missing.",
  "refused.hint.FULL": "No time for hints.",
};
const text = (fields: MessageInitShape<typeof RefusalSchema>, about?: string): string =>
  refusalText(create(RefusalSchema, fields), (key) => catalogue[key], about);

test("the rule speaks where a rule forbids it", () => {
  const details = { roll: "4", allowed: "2" };
  expect(text({ reason: Reason.ILLEGAL, rule: "EWN-TURN-3", message: "no", details })).toBe("You rolled 4: 2.");
});

test("a rule's sentence without its facts gives way to the server's own", () => {
  expect(text({ reason: Reason.ILLEGAL, rule: "EWN-TURN-3", message: "stone 2 must move" })).toBe("stone 2 must move");
  expect(text({ reason: Reason.ILLEGAL, rule: "EWN-NONE", message: "no" })).toBe("no");
});

test("the reason speaks where no rule does, and the server where nothing else does", () => {
  expect(text({ reason: Reason.NOT_YOUR_TURN, message: "seat 1 is to act" })).toBe("Not your turn.");
  expect(text({ reason: Reason.INTERNAL, message: "broken" })).toBe("broken");
  expect(text({ reason: Reason.INTERNAL })).toBe("INTERNAL");
});

test("a field that players fill in has a sentence of its own", () => {
  expect(text({ reason: Reason.MALFORMED, field: "name", message: "too long" })).toBe("A name is short.");
  expect(text({ reason: Reason.MALFORMED, field: "page_token", message: "bad" })).toBe("Not readable.");
});

test("a bound that players can make something of has a sentence of its own", () => {
  expect(text({ reason: Reason.FULL, details: { bound: "computers" }, message: "full" })).toBe(
    "All computers are busy.",
  );
  expect(text({ reason: Reason.FULL, details: { bound: "attic" }, message: "full" })).toBe("No room.");
  expect(text({ reason: Reason.MALFORMED, details: { bound: "computers" } })).toBe("Not readable.");
});

test("the request can have words of its own", () => {
  expect(text({ reason: Reason.FULL, message: "full" }, "hint")).toBe("No time for hints.");
  expect(text({ reason: Reason.NOT_YOUR_TURN }, "hint")).toBe("Not your turn.");
});

test("a game that the server has left out is named as such, whatever was asked for", () => {
  expect(text({ reason: Reason.UNAVAILABLE, details: { left_out: "duel" }, message: "left out" }, "hint")).toBe(
    "This game is missing.",
  );
});
