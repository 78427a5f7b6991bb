import { create, toBinary } from "@bufbuild/protobuf";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EinsteinViewSchema } from "@brettwerk/client/v1/einstein";
import { loadTypes, messageType, pack, unpack } from "../../src/api/registry";

const protos = new URL("../../../../protos/brettwerk/v1/", import.meta.url);

test("a game's types are known once they were loaded, and those of other games are not", async () => {
  expect(messageType("brettwerk.v1.PlateauPosition")).toBeUndefined();
  await loadTypes("plateau");
  expect(messageType("brettwerk.v1.PlateauPosition")).toBeDefined();
  expect(messageType("brettwerk.v1.WecPosition")).toBeUndefined();
});

test("a game that is installed as a package has no types to load", async () => {
  await expect(loadTypes("connect_four")).resolves.toBeUndefined();
});

test("every message of every game and of the client's contract is known by its name", async () => {
  await import("../../src/api/game_types");
  // Bounds are left out: the server checks them (buf.gen.yaml).
  const leftOut = ["Limit"];
  const files = readdirSync(protos).filter((name) => name.endsWith(".proto"));
  expect(files).toContain("einstein.proto");
  for (const file of files) {
    const text = readFileSync(new URL(file, protos), "utf8");
    for (const [, name] of text.matchAll(/^message (\w+)/gm)) {
      const known = expect(messageType(`brettwerk.v1.${name}`), `${name} of ${file}`);
      if (leftOut.includes(name ?? "")) known.toBeUndefined();
      else known.toBeDefined();
    }
  }
});

test("a message comes out of an Any as it went in", () => {
  const view = create(EinsteinViewSchema, { viewerSeat: 0, position: { roll: 3, squares: [1, 12] } });
  const any = pack("brettwerk.v1.EinsteinView", { viewerSeat: 0, position: { roll: 3, squares: [1, 12] } });
  expect(any.typeUrl).toBe("type.googleapis.com/brettwerk.v1.EinsteinView");
  expect(any.value).toEqual(toBinary(EinsteinViewSchema, view));
  expect(unpack(any)).toEqual(view);
});

test("a packed value is the same message whenever it is asked for, so that it is decoded once", () => {
  const any = pack("brettwerk.v1.EinsteinView", { seat: 1 });
  const found = unpack(any);
  expect(found).toBeDefined();
  expect(unpack(any)).toBe(found);
  expect(unpack({ ...any })).not.toBe(found);
});

test("an unknown type is nothing, and nothing can be made of it", () => {
  expect(unpack(undefined)).toBeUndefined();
  expect(messageType("brettwerk.v1.Nothing")).toBeUndefined();
  expect(() => pack("brettwerk.v1.Nothing", {})).toThrow("brettwerk.v1.Nothing");
});
