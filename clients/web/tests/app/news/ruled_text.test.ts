/** News of rulings say what was ruled, and why. */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { News_Kind, NewsSchema } from "@brettwerk/client/v1/news";
import { GivenTimeSchema, RankingSchema, RulingSchema, type Ruling } from "@brettwerk/client/v1/record";
import { ruledText } from "../../../src/app/news/notification";

function said(kind: Ruling["kind"]): string {
  const ruling = create(RulingSchema, { reason: "Noise", kind });
  return ruledText(create(NewsSchema, { kind: News_Kind.RULED, ruling }));
}

test("each kind of ruling has its sentence, with the reason", () => {
  const time = create(GivenTimeSchema, { seat: 1, timeMs: 60_000n });
  const order = create(RankingSchema, { seats: [1, 0] });
  expect(said({ case: "pause", value: true })).toBe("An arbiter has stopped the game: Noise");
  expect(said({ case: "pause", value: false })).toBe("An arbiter has restarted the game: Noise");
  expect(said({ case: "givenTime", value: time })).toBe("An arbiter has given time: Noise");
  expect(said({ case: "forfeitedSeat", value: 0 })).toBe("An arbiter lets a seat forfeit: Noise");
  expect(said({ case: "draw", value: true })).toBe("An arbiter has decided the game: Noise");
  expect(said({ case: "ranking", value: order })).toBe("An arbiter has decided the game: Noise");
});

test("a ruling of a newer release, or one that was not passed on, is told in general words", () => {
  expect(said({ case: undefined })).toBe("An arbiter has ruled at your table.");
  expect(ruledText(create(NewsSchema, { kind: News_Kind.RULED }))).toBe("An arbiter has ruled at your table.");
});
