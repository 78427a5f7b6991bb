import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { GameSchema } from "@brettwerk/client/v1/games";
import { seatWish, wishesFor } from "../../../src/app/lobby/wishes";

const game = create(GameSchema, {
  seats: [{}, { computerByDefault: true }, { computerByDefault: true }],
  minSeats: 2,
  levels: [{ id: "easy" }, { id: "normal" }, { id: "depth", maxDepth: 6 }],
});
const contribution = new Uint8Array([1, 2]);

test("a newcomer sits where the game says, and the computer plays at its usual level", () => {
  const wishes = wishesFor(game, 3, "computer");
  expect(wishes.map((wish) => wish.who)).toEqual(["me", "computer", "computer"]);
  expect(wishes[1]?.level).toBe("normal");
  expect(wishesFor(game, 2, "friend").map((wish) => wish.who)).toEqual(["me", "open"]);
  expect(wishesFor(game, 2, "here").map((wish) => wish.who)).toEqual(["me", "me"]);
});

test("a depth is told where the level has one, within its bounds", () => {
  const wish = (level: string, depth: number) => seatWish(game, { who: "computer", level, depth }, contribution).kind;
  expect(wish("normal", 4)).toEqual({ case: "computer", value: { level: "normal", depth: 0 } });
  expect(wish("depth", 0)).toEqual({ case: "computer", value: { level: "depth", depth: 3 } });
  expect(wish("depth", 99)).toEqual({ case: "computer", value: { level: "depth", depth: 6 } });
});

test("the creator contributes to the seeds with their own seat only", () => {
  expect(seatWish(game, { who: "me", level: "", depth: 0 }, contribution).seedContribution).toEqual(contribution);
  expect(seatWish(game, { who: "open", level: "", depth: 0 }, contribution).seedContribution).toBeUndefined();
});
