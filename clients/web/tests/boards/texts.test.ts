/** Boards say their sentences by keys of the games' catalogues and the page's: every key that one asks for is in both languages. */
import { expect, test } from "vitest";

const sources = import.meta.glob<string>("../../src/boards/**/*.{ts,svelte}", {
  eager: true,
  query: "?raw",
  import: "default",
});
const catalogues = import.meta.glob<Record<string, string>>(
  [
    "../../../../brettwerk_games/rules/*/text/*.json",
    "../../../../brettwerk_games/languages/*/page/text.json",
    "../../src/app/text/*.json",
  ],
  { eager: true, import: "default" },
);

/** Returns the keys of a language. */
function keys(language: string): readonly string[] {
  return Object.entries(catalogues)
    .filter(([path]) => path.endsWith(`/${language}.json`) || path.includes(`/languages/${language}/`))
    .flatMap(([, texts]) => Object.keys(texts));
}

/** Returns what a source asks for: whole keys, and patterns where a key is put together. */
function asked(source: string): readonly RegExp[] {
  return [...source.matchAll(/["`](board\.[a-z_]+\.[^"`\s]*)["`]/g)].map(
    ([, key = ""]) =>
      new RegExp(
        `^${key
          .split(/\$\{[^}]*\}/)
          .map((piece) => piece.replaceAll(".", "\\."))
          .join(".+")}$`,
      ),
  );
}

test.each(["en", "de"])("every sentence of a board is there (%s)", (language) => {
  const known = keys(language);
  const sought = Object.entries(sources).flatMap(([path, source]) => asked(source).map((key) => ({ path, key })));
  expect(sought.length).toBeGreaterThan(100);
  expect(sought.filter(({ key }) => !known.some((each) => key.test(each)))).toEqual([]);
});
