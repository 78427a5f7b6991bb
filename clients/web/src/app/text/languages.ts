/**
 * The languages of the page. English is written beside what says it; every other language has a folder, whose words come when
 * somebody speaks it (docs/languages.md): first those of the first page, then all others.
 */

export type Language = string;
export type Catalogue = Readonly<Record<string, string>>;
/** Catalogues by feature: the folder of src/app that has their English one. */
export type Catalogues = Readonly<Record<string, Catalogue>>;
export type Load = () => Promise<Catalogue>;

/** The language in which everything is written; whatever another one lacks is said in it. */
export const BASE = "en";
/** The feature whose words the first page needs. */
export const FIRST = "text";

const named = import.meta.glob<string>("../../../../../brettwerk_games/languages/*/language.json", {
  eager: true,
  import: "name",
});
const files = import.meta.glob<Catalogue>("../../../../../brettwerk_games/languages/*/page/*.json", {
  import: "default",
});
const boards = import.meta.glob<Catalogue>("../../../../../brettwerk_games/languages/*/games/*/board.json", {
  import: "default",
});

/** Returns the parts of a file's path from the folder of its language on. */
function partsOf(path: string): readonly string[] {
  return path.slice(path.indexOf("/languages/") + "/languages/".length).split("/");
}

/** The languages by their codes, with what each calls itself: English first, the others in the order of their codes. */
export const LANGUAGES: ReadonlyMap<Language, string> = new Map(
  Object.entries(named)
    .map(([path, name]) => [partsOf(path)[0] ?? "", name] as const)
    .sort(([one], [other]) => Number(other === BASE) - Number(one === BASE) || (one < other ? -1 : 1)),
);

/** Returns the first of the languages that somebody wants which there is: `fr` for `fr-CA`; English when there is none. */
export function chosen(wanted: readonly string[]): Language {
  for (const each of wanted) {
    const found = [each, each.split("-")[0] ?? ""].find((code) => LANGUAGES.has(code));
    if (found !== undefined) return found;
  }
  return BASE;
}

/** Returns what loads the words of a language, by feature. */
export function loadersOf(language: Language): ReadonlyMap<string, Load> {
  return new Map(
    Object.entries(files)
      .map(([path, load]) => [partsOf(path), load] as const)
      .filter(([[code]]) => code === language)
      .map(([[, , name = ""], load]) => [name.replace(".json", ""), load]),
  );
}

/** Returns what loads what the board of a game says in a language: by the English sentence; undefined where there is nothing. */
export function boardLoader(game: string, language: Language): Load | undefined {
  return boards[
    Object.keys(boards).find((path) => partsOf(path).join("/") === `${language}/games/${game}/board.json`) ?? ""
  ];
}
