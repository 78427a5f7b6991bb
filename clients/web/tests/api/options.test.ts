import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import "../../src/api/game_types";
import { EinsteinFirst, EinsteinSetup } from "@brettwerk/client/v1/einstein";
import { GameSchema } from "@brettwerk/client/v1/games";
import { chosenOptions, packOptions, packTableOptions, presets, readOptions } from "../../src/api/options";
import { unpack } from "../../src/api/registry";

const choice = { case: "choice" as const, value: { preset: 1 } };
const einstein = create(GameSchema, {
  optionsType: "brettwerk.v1.EinsteinOptions",
  options: [
    { key: "setup", values: choice },
    { key: "first", values: choice },
    { key: "show_roll", values: { case: "switch", value: { preset: false } } },
  ],
});

test("options become the fields of their message, and come back", () => {
  const values = { setup: EinsteinSetup.CHOSEN, first: EinsteinFirst.LOT, show_roll: true };
  const any = packOptions(einstein, values);
  expect(unpack(any)).toMatchObject({ setup: EinsteinSetup.CHOSEN, first: EinsteinFirst.LOT, showRoll: true });
  expect(readOptions(einstein, any, 2)).toEqual(values);
});

test("an option that follows from whether a table is competitive is neither offered nor sent", () => {
  const options = einstein.options.map((each) => (each.key === "show_roll" ? { ...each, competitiveValue: 1 } : each));
  const game = create(GameSchema, { ...einstein, options });
  expect(chosenOptions(game).map(({ key }) => key)).toEqual(["setup", "first"]);
  const packed = packTableOptions(game, { setup: EinsteinSetup.CHOSEN, show_roll: true });
  expect(unpack(packed)).toMatchObject({ setup: EinsteinSetup.CHOSEN, showRoll: false });
});

test("a missing option is as at first", () => {
  expect(presets(einstein, 2)).toEqual({ setup: 1, first: 1, show_roll: false });
  expect(readOptions(einstein, undefined, 2)).toEqual(presets(einstein, 2));
  expect(readOptions(einstein, packOptions(einstein, { show_roll: true }), 2)).toEqual({
    setup: 1,
    first: 1,
    show_roll: true,
  });
});

test("wide, narrow and repeated numbers and lines find their fields", () => {
  // Any message with such fields will do: the contract of games knows no others.
  const game = create(GameSchema, {
    optionsType: "brettwerk.v1.Created",
    options: [
      { key: "seats", values: { case: "number", value: { min: 1n, max: 6n, step: 1n, preset: 2n } } },
      { key: "title", values: { case: "line", value: { length: 10, preset: "abc" } } },
    ],
  });
  expect(presets(game, 2)).toEqual({ seats: 2, title: "abc" });
  expect(unpack(packOptions(game, { seats: 4, title: "x" }))).toMatchObject({ seats: 4, title: "x" });
  const wide = create(GameSchema, {
    optionsType: "brettwerk.v1.NumberSpec",
    options: [{ key: "max", values: { case: "number", value: { preset: 7n } } }],
  });
  expect(unpack(packOptions(wide, { max: 9 }))).toMatchObject({ max: 9n });
  const repeated = create(GameSchema, {
    optionsType: "brettwerk.v1.EinsteinArrange",
    options: [{ key: "stones", values: { case: "number", value: { preset: 3n } } }],
  });
  expect(presets(repeated, 4)).toEqual({ stones: [3, 3, 3, 3] });
  expect(unpack(packOptions(repeated, { stones: [1, 2] }))).toMatchObject({ stones: [1, 2] });
});

test("of an installed game, whose types are not known yet, the options are sent empty: all are as at first", () => {
  const installed = create(GameSchema, {
    optionsType: "ludo.v1.LudoOptions",
    options: [{ key: "first", values: choice }],
  });
  const any = packOptions(installed, { first: 2 });
  expect(any.typeUrl).toBe("type.googleapis.com/ludo.v1.LudoOptions");
  expect(any.value).toHaveLength(0);
});
