import { expect, test } from "vitest";
import { create } from "@bufbuild/protobuf";
import { OutcomeSchema } from "@brettwerk/client/v1/games";
import { endingKey, endingOf, reasonText } from "../../../../src/app/table/result/result_text";

const won = create(OutcomeSchema, {
  scores: [0, 1],
  places: [2, 1],
  winners: [1],
  reason: { key: "reason.capture.1" },
});
const drawn = create(OutcomeSchema, { scores: [0.5, 0.5], places: [1, 1], reason: { key: "reason.agreed" } });

test("an end is another one to the winner, the loser, and a spectator or a player of several seats", () => {
  expect([1, 0].map((seat) => endingOf(won, [seat]))).toEqual(["won", "lost"]);
  expect(endingOf(won, [])).toBe("seen");
  expect(endingOf(won, [0, 1])).toBe("seen");
  expect(endingOf(drawn, [0])).toBe("drawn");
});

test("its sentence is the viewer's, and among many it names nobody who had left long before", () => {
  expect(endingKey(won, "lost")).toBe("ending.capture.lost");
  const resigned = { key: "reason.resigned.0" };
  expect(endingKey(create(OutcomeSchema, { scores: [1, 0], reason: resigned }), "won")).toBe("ending.resigned.won");
  expect(endingKey(create(OutcomeSchema, { scores: [1, 0, 0], reason: resigned }), "lost")).toBe("ending.last.lost");
});

test("a draw is told in words of its own, and a win with the names of the players", () => {
  const sentences: Record<string, string> = {
    "ending.agreed.drawn": "Everybody has agreed on a draw.",
    "ending.capture.seen": "{winner} beat {loser}",
  };
  const words = {
    say: (key: string, { winner = "", loser = "" }: Readonly<Record<string, string>>) =>
      (sentences[key] ?? "").replace("{winner}", winner).replace("{loser}", loser),
    seatName: (seat: number) => ["Ben", "Mila"][seat] ?? "",
    list: (names: readonly string[]) => names.join(", "),
  };
  expect(reasonText(drawn, "drawn", words)).toBe("Everybody has agreed on a draw.");
  expect(reasonText(won, "seen", words)).toBe("Mila beat Ben");
});
