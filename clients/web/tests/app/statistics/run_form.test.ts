import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { GameSchema } from "@brettwerk/client/v1/games";
import { firstForm, mostGames, runLevels, wishOf, withLevels, withSeats } from "../../../src/app/statistics/run_form";

const game = create(GameSchema, {
  id: "emperado",
  minSeats: 2,
  seats: [{}, {}, {}],
  optionsType: "brettwerk.v1.EmperadoOptions",
  levels: [
    { id: "easy", runGames: 10_000 },
    { id: "slow", runGames: 200 },
    { id: "best", runGames: 0 },
  ],
});

test("only levels that take part are offered, and the slowest of them bounds the games", () => {
  expect(runLevels(game).map(({ id }) => id)).toEqual(["easy", "slow"]);
  expect(mostGames(game, ["easy", "slow"])).toBe(200);
  expect(mostGames(game, ["easy", "easy"])).toBe(10_000);
  expect(mostGames(game, ["easy", "best"])).toBe(0);
});

test("at first the strongest level that plays many games soon is at every seat, and where none does the strongest", () => {
  expect(firstForm(game)).toMatchObject({ levels: ["easy", "easy", "easy"], games: 1000, seed: 0, rotate: false });
  const patient = create(GameSchema, { seats: [{}, {}], levels: [{ id: "slow", runGames: 200 }] });
  expect(firstForm(patient)).toMatchObject({ levels: ["slow", "slow"], games: 200 });
});

test("seats that come have the last one's level, and levels bound the games", () => {
  const form = { ...firstForm(game), levels: ["easy", "slow"], games: 200 };
  expect(withSeats(form, 3).levels).toEqual(["easy", "slow", "slow"]);
  expect(withSeats(form, 1).levels).toEqual(["easy"]);
  expect(withLevels(game, { ...form, games: 1000 }, ["easy", "slow"]).games).toBe(200);
});

test("the server is told all of it", () => {
  const wish = wishOf(game, { ...firstForm(game), seed: 7, rotate: true });
  expect(wish).toMatchObject({ game: "emperado", games: 1000, seed: 7n, rotate: true });
  expect(wish.seats).toHaveLength(3);
});
