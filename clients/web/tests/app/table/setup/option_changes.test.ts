import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { GameSchema } from "@brettwerk/client/v1/games";
import { optionChanges } from "../../../../src/app/table/setup/option_changes";

const choices = [
  { number: 1, label: { key: "Random" } },
  { number: 2, label: { key: "Free" } },
];
const game = create(GameSchema, {
  options: [
    { key: "setup", label: { key: "Set-up" }, values: { case: "choice", value: { choices } } },
    { key: "die", label: { key: "Show the die" }, values: { case: "switch", value: {} } },
    { key: "rounds", label: { key: "Rounds" }, values: { case: "number", value: { max: 9n } } },
    { key: "handicap", label: { key: "Handicap" }, values: { case: "number", value: { max: 9n } } },
  ],
});
const say = { words: (text: { key: string } | undefined) => text?.key ?? "", on: "on", off: "off" };

test("only what changes is told, each with its new value", () => {
  const before = { setup: 1, die: true, rounds: 3, handicap: [0, 0] };
  expect(optionChanges(game, before, before, say)).toEqual([]);
  expect(optionChanges(game, before, { setup: 2, die: false, rounds: 3, handicap: [0, 2] }, say)).toEqual([
    "Set-up: Free",
    "Show the die: off",
    "Handicap: 0, 2",
  ]);
});
