/** Languages are found by their folders, loaded when somebody speaks them, and English where they say nothing. */
import { afterEach, expect, test } from "vitest";
import { create } from "@bufbuild/protobuf";
import { Reason, RefusalSchema } from "@brettwerk/client/v1/errors";
import { Refused } from "@brettwerk/client/wire";
import { say as sayConditional } from "../../../src/app/conditional/words";
import { inKnownLanguage } from "../../../src/app/known_language";
import { settings } from "../../../src/app/settings.svelte";
import { sentence as notificationSentence } from "../../../src/app/notifications/words";
import { chosen, LANGUAGES, loadersOf } from "../../../src/app/text/languages";
import { find, ordinal, sentenceOf, t } from "../../../src/app/text/text.svelte";
import { words } from "../../../src/app/text/words.svelte";

afterEach(() => (settings.language = "en"));

test("languages are those that have a folder, English first, each by its own name", () => {
  expect([...LANGUAGES].slice(0, 3)).toEqual([
    ["en", "English"],
    ["de", "Deutsch"],
    ["fr", "Français"],
  ]);
});

test("of the languages that a browser wants, the first one that there is is spoken", () => {
  expect(chosen(["fr-CA", "de"])).toBe("fr");
  expect(chosen(["xx", "de-AT", "fr"])).toBe("de");
  expect(chosen(["xx"])).toBe("en");
  expect(chosen([])).toBe("en");
});

test("a language is loaded whole when somebody speaks it, and its first page before that", async () => {
  settings.language = "fr";
  expect(t("close")).toBe("Close");
  await words.loadFirst("fr");
  expect(t("close")).toBe("Fermer");
  expect(sayConditional("save")).toBe("Save");
  await words.load("fr");
  expect(sayConditional("save")).toBe("Enregistrer");
  expect([...loadersOf("fr").keys()]).toContain("text");
});

test("a language that is half finished says the rest in English", () => {
  words.take("it", { text: { close: "Chiudi", "place.other": "{place}º" } });
  settings.language = "it";
  expect([t("close"), t("loading"), find("no such key")]).toEqual(["Chiudi", "Loading …", undefined]);
  expect([ordinal(1), ordinal(8)]).toEqual(["1º", "8º"]);
  expect(notificationSentence("mail.remove")).toBe("No more emails");
  expect(sayConditional("saved", { count: 1 })).toBe("1 line is set.");
});

test("a number takes the form that the rules of its language give it", () => {
  const polish = {
    saved: "Ustawiono {count} wariantu.",
    "saved.one": "jeden",
    "saved.few": "kilka",
    "saved.many": "wiele",
  };
  words.take("pl", { conditional: polish });
  settings.language = "pl";
  const said = [1, 2, 5, 22, 1.5].map((count) => sayConditional("saved", { count }));
  expect(said).toEqual(["jeden", "kilka", "wiele", "kilka", "Ustawiono 1,5 wariantu."]);
});

test("French counts nothing as one thing", async () => {
  await words.load("fr");
  settings.language = "fr";
  expect(sayConditional("saved", { count: 0 })).toContain("0 ligne est");
  expect(sayConditional("saved", { count: 2 })).toContain("2 lignes sont");
  expect([ordinal(1), ordinal(2)]).toEqual(["1er", "2e"]);
});

test("a sentence of a board is found by its English, and is English where it is missing", async () => {
  await words.loadBoard("einstein", "fr");
  settings.language = "fr";
  expect(sentenceOf({ en: "The goal", de: "Das Ziel" })).toBe("Le but");
  expect(sentenceOf({ en: "Nobody wrote this.", de: "Das schrieb niemand." })).toBe("Nobody wrote this.");
  settings.language = "de";
  expect(sentenceOf({ en: "The goal", de: "Das Ziel" })).toBe("Das Ziel");
});

test("a server that does not know a language yet is asked in English", async () => {
  const asked: (string | undefined)[] = [];
  const server = ({ language }: { language?: string }): Promise<string> => {
    asked.push(language);
    const refusal = create(RefusalSchema, { reason: Reason.MALFORMED });
    return language === "en" ? Promise.resolve("answer") : Promise.reject(new Refused(refusal));
  };
  await expect(inKnownLanguage({ language: "fr" }, server)).resolves.toBe("answer");
  expect(asked).toEqual(["fr", "en"]);
});

const files = import.meta.glob<Readonly<Record<string, string>>>(
  "../../../../../brettwerk_games/languages/fr/**/*.json",
  {
    eager: true,
    import: "default",
  },
);

test("French keeps its signs with their words: no line breaks before ; : ! ? and within « »", () => {
  const broken = Object.values(files)
    .flatMap((texts) => Object.values(texts))
    .map((text) => (typeof text === "string" ? text : JSON.stringify(text)))
    .filter((text) => / [;:!?»%]|« |\.\.\.|\w'\w/.test(text));
  expect(broken).toEqual([]);
});
