import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Reason } from "@brettwerk/client/v1/errors";
import { fill } from "../../../src/app/text/fill";
import de from "../../../src/app/text/de.json";
import en from "../../../src/app/text/en.json";

type Catalogue = Readonly<Record<string, string>>;
const catalogues: Readonly<Record<string, Catalogue>> = { en, de };
/** The catalogues of all parts of the client, by their files. */
const found = import.meta.glob<Catalogue>("../../../src/app/*/{de,en}.json", { eager: true, import: "default" });
const pairs = Object.entries(found)
  .filter(([file]) => file.endsWith("/en.json"))
  .map(([file, english]) => [english, found[file.replace("/en.json", "/de.json")] ?? {}] as const);
const holes = (sentence: string): string[] => (sentence.match(/\{\w+\}/g) ?? []).sort();

test.each(pairs)("both languages say the same things", (english, german) => {
  expect(Object.keys(german).sort()).toEqual(Object.keys(english).sort());
});

test.each(pairs)("both languages leave room for the same facts, and none is empty", (english, german) => {
  for (const [key, sentence] of Object.entries(english)) {
    expect(sentence.trim(), key).not.toBe("");
    expect(german[key]?.trim(), key).not.toBe("");
    expect(holes(german[key] ?? ""), key).toEqual(holes(sentence));
  }
});

test("every reason of the contract has its sentence", () => {
  const names = Object.keys(Reason).filter((name) => Number.isNaN(Number(name)) && name !== "UNSPECIFIED");
  for (const language of Object.values(catalogues)) {
    for (const name of names) expect(language[`reason.${name}`], name).toBeDefined();
  }
});

test("no sentence is left that nothing says", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => /\.(ts|svelte)$/.test(name));
  const code = files.map((name) => readFileSync(join("src", name), "utf8")).join("\n");
  const made =
    /^(concern|days|scope|saved|ending|statistics|reason|place|field|refused|company|sure|command|review\.luck)\.|\.short$/;
  const keys = pairs.flatMap(([english]) => Object.keys(english));
  const idle = keys.filter((key) => !made.test(key) && !code.includes(`"${key}"`));
  expect(idle).toEqual([]);
});

test("facts are put in, and what has no fact stays", () => {
  expect(fill("{a} and {b}, {a}", { a: "one", b: 2 })).toBe("one and 2, one");
  expect(fill("{a} and {c}", { a: "one" })).toBe("one and {c}");
});
