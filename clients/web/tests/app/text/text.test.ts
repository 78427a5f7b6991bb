import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Reason } from "@brettwerk/client/v1/errors";
import { fill } from "../../../src/app/text/fill";
import { type Catalogue } from "../../../src/app/text/languages";

const english = import.meta.glob<Catalogue>("../../../src/app/*/en.json", { eager: true, import: "default" });
const german = import.meta.glob<Catalogue>("../../../../../brettwerk_games/languages/de/page/*.json", {
  eager: true,
  import: "default",
});
const features = Object.entries(english).map(([path, words]) => [path.split("/").at(-2) ?? "", words] as const);
const inGerman = (feature: string): Catalogue =>
  Object.entries(german).find(([path]) => path.endsWith(`/${feature}.json`))?.[1] ?? {};
const holes = (sentence: string): string[] => (sentence.match(/\{\w+\}/g) ?? []).sort();

test.each(features)("German says all that English says of %s", (feature, words) => {
  expect(Object.keys(inGerman(feature)).sort()).toEqual(Object.keys(words).sort());
});

test.each(features)(
  "English and German leave room for the same facts of %s, and no sentence is empty",
  (feature, words) => {
    for (const [key, sentence] of Object.entries(words)) {
      expect(sentence.trim(), key).not.toBe("");
      expect(inGerman(feature)[key]?.trim(), key).not.toBe("");
      expect(holes(inGerman(feature)[key] ?? ""), key).toEqual(holes(sentence));
    }
  },
);

test("every reason of the contract has its sentence", () => {
  const names = Object.keys(Reason).filter((name) => Number.isNaN(Number(name)) && name !== "UNSPECIFIED");
  const words = new Map(features).get("text") ?? {};
  for (const name of names) expect(words[`reason.${name}`], name).toBeDefined();
});

test("no sentence is left that nothing says", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => /\.(ts|svelte)$/.test(name));
  const code = files.map((name) => readFileSync(join("src", name), "utf8")).join("\n");
  const made =
    /^(concern|days|scope|saved|ending|statistics|reason|place|field|refused|company|sure|command|review\.luck|hook(\.how)?|section|act|for|by|restricted)\.|\.(short|one|about)$/;
  const keys = features.flatMap(([, words]) => Object.keys(words));
  const idle = keys.filter((key) => !made.test(key) && !code.includes(`"${key}"`));
  expect(idle).toEqual([]);
});

test("facts are put in, and placeholders without a fact stay", () => {
  expect(fill("{a} and {b}, {a}", { a: "one", b: 2 })).toBe("one and 2, one");
  expect(fill("{a} and {c}", { a: "one" })).toBe("one and {c}");
});
