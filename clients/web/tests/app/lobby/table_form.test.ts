import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { GameSchema } from "@brettwerk/client/v1/games";
import { originalForm, savedForm } from "../../../src/app/lobby/table_form";

const game = create(GameSchema, {
  id: "einstein",
  minSeats: 2,
  seats: [{}, { computerByDefault: true }],
  levels: [{ id: "easy" }, { id: "normal" }],
  optionsType: "brettwerk.v1.EinsteinOptions",
  options: [{ key: "show_roll", values: { case: "switch", value: { preset: false } } }],
});

test("saved settings come back as they were", () => {
  const form = { ...originalForm(game), options: { show_roll: true }, competitive: true, company: "here" as const };
  expect(savedForm(game, JSON.parse(JSON.stringify(form)))).toEqual(form);
});

test("whether others may take a seat is what was chosen, and the usual as long as nothing was", () => {
  expect(originalForm(game).substitutes).toBeUndefined();
  for (const substitutes of [true, false]) {
    expect(savedForm(game, { ...originalForm(game), substitutes }).substitutes).toBe(substitutes);
  }
  expect(savedForm(game, { substitutes: "yes" }).substitutes).toBeUndefined();
});

test("settings that do not fit the game give way to the originals", () => {
  const damaged = { company: "computer", wishes: [{}], options: { show_roll: 7, gone: 1 }, clock: { kind: "sand" } };
  expect(savedForm(game, damaged)).toEqual(originalForm(game));
  expect(savedForm(game, "nonsense")).toEqual(originalForm(game));
});

test("a level that is no more becomes the usual one", () => {
  const form = savedForm(game, { wishes: [{ who: "me" }, { who: "computer", level: "gone", depth: -1 }] });
  expect(form.wishes[1]).toEqual({ who: "computer", level: "normal", depth: 0 });
});
