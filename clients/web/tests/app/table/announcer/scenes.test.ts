import { create } from "@bufbuild/protobuf";
import { AnySchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import "../../../../src/api/game_types";
import { SceneSchema } from "@brettwerk/client/v1/games";
import { changesOf, viewCache } from "../../../../src/app/table/announcer/scenes";

const scene = (...facts: [string, string][]) =>
  create(SceneSchema, { facts: facts.map(([label, value]) => ({ label: { key: label }, value: { key: value } })) });

test("facts that are new or have another value are told, and no others", () => {
  const before = scene(["Roll", "4"], ["Turn", "1"]);
  const after = scene(["Roll", "2"], ["Turn", "1"], ["Cards", "3"]);
  expect(changesOf(before, after, (text) => text?.key ?? "")).toBe("Roll: 2. Cards: 3.");
  expect(changesOf(after, after, (text) => text?.key ?? "")).toBe("");
  const many = scene(...Array.from({ length: 9 }, (_, at): [string, string] => [`F${at}`, "x"]));
  expect(changesOf(before, many, (text) => text?.key ?? "").split(" ")).toHaveLength(8);
});

test("a scene is asked for once, and again when the first answer was a refusal", async () => {
  let asked = 0;
  const keep = viewCache(() => {
    asked++;
    return asked === 1 ? Promise.reject(new Error("not now")) : Promise.resolve(scene());
  });
  const view = create(AnySchema, { typeUrl: "x/y" });
  expect(await keep("chess", view)).toBeUndefined();
  expect(await Promise.all([keep("chess", view), keep("chess", view)])).toEqual([scene(), scene()]);
  expect(asked).toBe(2);
});
