import { create } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import "../../../../src/api/game_types";
import { GameSchema } from "@brettwerk/client/v1/games";
import { commonOptions, ownOptions, sameStart, startName } from "../../../../src/app/table/setup/start_options";

const board = (...bytes: number[]) => create(AnySchema, { typeUrl: "x/y", value: Uint8Array.from(bytes) });
const game = create(GameSchema, {
  id: "wec",
  options: [{ key: "range" }, { key: "government_black", ownerSeat: 0 }, { key: "government_white", ownerSeat: 1 }],
  presets: [
    { id: "rules", label: { key: "preset.rules" } },
    { id: "kings", label: { key: "preset.kings" }, startPosition: board(1, 2) },
  ],
});

test("options are parted into those of all and those of one's own seats", () => {
  expect(commonOptions(game).map(({ key }) => key)).toEqual(["range"]);
  expect(ownOptions(game, [1]).map(({ key }) => key)).toEqual(["government_white"]);
  expect(ownOptions(game, [])).toEqual([]);
});

test("a beginning has the name of the board that it is", () => {
  const name = (start?: ReturnType<typeof board>) =>
    startName(
      game,
      start,
      (text) => text?.key ?? "",
      (key) => key,
    );
  expect(name()).toBe("start.usual");
  expect(name(board(1, 2))).toBe("preset.kings");
  expect(name(board(1, 3))).toBe("editor.own");
});

test("beginnings are compared by what they are", () => {
  expect(sameStart(undefined, undefined)).toBe(true);
  expect(sameStart(board(1), undefined)).toBe(false);
  expect(sameStart(board(1), board(1))).toBe(true);
  expect(sameStart(board(1), board(1, 1))).toBe(false);
});
