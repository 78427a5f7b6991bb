import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { Acted_Cause } from "@brettwerk/client/v1/record";
import { HappeningSchema, Happening_Kind } from "@brettwerk/client/v1/sessions";
import { happeningText, isThoughtless } from "../../../../src/app/table/log/happening_text";
import de from "../../../../../../brettwerk_games/languages/de/page/text.json";
import en from "../../../../src/app/text/en.json";
import { fill } from "../../../../src/app/text/fill";

const played = (cause: Acted_Cause) =>
  create(HappeningSchema, { kind: Happening_Kind.ACTED, concernedSeat: 1, notation: "4: A1-B2", cause });
const textOf = (cause: Acted_Cause, words: typeof en): string =>
  happeningText(
    played(cause),
    (seat) => ["White", "Black"][seat] ?? "",
    (key, args) => fill(words[key], args),
  );

test("a move that was played without thinking says so, in both languages", () => {
  expect(textOf(Acted_Cause.FALLBACK, en)).toBe("Black, played without thinking: 4: A1-B2");
  expect(textOf(Acted_Cause.FALLBACK, de)).toBe("Black, ohne nachzudenken: 4: A1-B2");
  expect(textOf(Acted_Cause.UNSPECIFIED, en)).toBe("Black: 4: A1-B2");
});

test("only such a move is marked", () => {
  expect(isThoughtless(played(Acted_Cause.FALLBACK))).toBe(true);
  for (const cause of [Acted_Cause.UNSPECIFIED, Acted_Cause.TIME]) expect(isThoughtless(played(cause))).toBe(false);
  expect(isThoughtless(undefined)).toBe(false);
});
