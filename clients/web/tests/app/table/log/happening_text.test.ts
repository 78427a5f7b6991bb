import { create, type MessageInitShape } from "@bufbuild/protobuf";
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

test("a ruling is told with its arbiter and reason, and a forfeit as one", () => {
  const seatName = (seat: number): string => ["White", "Black"][seat] ?? "";
  const tell = (happening: MessageInitShape<typeof HappeningSchema>): string =>
    happeningText(create(HappeningSchema, happening), seatName, (key, args) => fill(en[key], args));
  const arbiter = { playerId: "ruth", name: "Ruth" };
  const ruling = { reason: "Noise", kind: { case: "pause", value: true } } as const;
  expect(tell({ kind: Happening_Kind.RULED, arbitration: { arbiter, ruling } })).toBe("Ruling by Ruth: Noise");
  expect(tell({ kind: Happening_Kind.ARBITER_NAMED, arbitration: { arbiter } })).toBe(
    "Ruth is an arbiter of this table.",
  );
  expect(tell({ kind: Happening_Kind.RESIGNED, concernedSeat: 1, cause: Acted_Cause.ARBITER })).toBe(
    "Black forfeits: an arbiter has ruled it.",
  );
});
