import { expect, test } from "vitest";
import { pack, unpack } from "../../../../src/api/registry";
import "../../../../src/api/game_types";
import { ActionCache } from "../../../../src/app/table/actions/action_cache";

test("an equal action is the same message, and a different one is another", () => {
  const unpacking = new ActionCache();
  const action = (place: number) =>
    pack("brettwerk.v1.WecAction", { kind: { case: "move", value: { piece: 1, place, carry: false } } });
  const known = action(11);
  const first = unpacking.unpack(known);
  expect(first).toEqual(unpack(action(11)));
  expect(unpacking.unpack(known)).toBe(first);
  expect(unpacking.unpack(action(12))).toEqual(unpack(action(12)));
  expect(unpacking.unpack(undefined)).toBeUndefined();
});
