/** Answers that are the same for everybody. */
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { afterEach, expect, test, vi } from "vitest";
import { GetGameRequestSchema, GetGameResponseSchema } from "@brettwerk/client/v1/play";
import { addressOf, readKept } from "../../src/api/shared_answers";

afterEach(() => vi.unstubAllGlobals());

const asked = { game: "wec", language: "de", withoutRulesPage: true };

test("a call has one address, which holds its request", () => {
  const [path, query] = addressOf("getGame", asked).split("?");
  const message = new URLSearchParams(query).get("message") ?? "";
  expect(path).toBe("/brettwerk.v1.PlayService/GetGame");
  expect(fromBinary(GetGameRequestSchema, base64Decode(message))).toEqual(create(GetGameRequestSchema, asked));
  expect(addressOf("getGame", { ...asked, language: "en" })).not.toBe(addressOf("getGame", asked));
});

test("the answer is read from the response", async () => {
  const answer = create(GetGameResponseSchema, { catalogue: { "game.name": "Weaponized Chess" } });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(toBinary(GetGameResponseSchema, answer))));
  expect((await readKept("getGame", asked))?.catalogue).toEqual({ "game.name": "Weaponized Chess" });
});

test.each([
  ["a refusal", () => Promise.resolve(new Response("{}", { status: 405 }))],
  ["no network", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["what is no answer", () => Promise.resolve(new Response(new Uint8Array([255, 255])))],
])("%s leaves it to the connection to the server", async (_, fetch) => {
  vi.stubGlobal("fetch", fetch);
  expect(await readKept("getGame", asked)).toBeUndefined();
});
