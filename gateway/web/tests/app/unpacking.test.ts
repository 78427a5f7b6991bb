import { expect, test } from "vitest";
import { pack, unpack } from "../../src/api/registry";
import "../../src/api/game_types";
import { Unpacking } from "../../src/app/table/unpacking";

test("what comes again is the same message, and what differs is another", () => {
  const unpacking = new Unpacking();
  const action = (place: number) =>
    pack("brettwerk.v1.WecAction", { kind: { case: "move", value: { piece: 1, place, carry: false } } });
  const first = unpacking.unpack(action(11));
  expect(first).toEqual(unpack(action(11)));
  expect(unpacking.unpack(action(11))).toBe(first);
  expect(unpacking.unpack(action(12))).toEqual(unpack(action(12)));
  expect(unpacking.unpack(undefined)).toBeUndefined();
});
