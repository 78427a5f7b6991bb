import { expect, test } from "vitest";
import { inWords } from "../../../src/boards/emperado/notation_text";

const say = (key: string, args: Readonly<Record<string, string>> = {}): string =>
  key.startsWith("country.") ? key.slice(8).toUpperCase() : [key, ...Object.values(args)].join(" ");

test("actions that may be chosen have the names of countries in the player's language", () => {
  expect(inWords("Frankreich -> Spanien 3", say)).toBe("choice.attack FRANKREICH SPANIEN 3");
  expect(inWords("Frankreich -> Spanien max", say)).toBe("choice.attack.end FRANKREICH SPANIEN");
  expect(inWords("Frankreich => Spanien 4", say)).toBe("choice.move FRANKREICH SPANIEN 4");
  expect(inWords("Spanien +7", say)).toBe("choice.place SPANIEN 7");
});

test("notation without a country has no words of the board's own", () => {
  for (const notation of ["Fertig", "Einmarsch 5", "Tausch RSK", ""]) expect(inWords(notation, say)).toBe("");
});
