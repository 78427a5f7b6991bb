/** The few words of a board on the page of somebody else: in the language that its address names, or in the reader's. */
import { fill, type Args } from "../text/fill";
import en from "./en.json";

const BASE = "en";
const others = import.meta.glob<Readonly<Record<string, string>>>(
  "../../../../../brettwerk_games/languages/*/page/embed.json",
  { import: "default" },
);

/** Returns the file of a language, if it has one. */
function fileOf(language: string): string | undefined {
  return Object.keys(others).find((path) => path.includes(`/languages/${language}/`));
}

/** The words of one language. */
export interface Speech {
  readonly language: string;
  /** Returns the sentence of a key; in English where the language lacks it. */
  readonly say: (key: keyof typeof en, args?: Args) => string;
}

/** Returns the words in the first of these languages that there is: `fr` for `fr-CA`; in English when there is none. */
export async function speak(wanted: readonly string[]): Promise<Speech> {
  const known = wanted
    .flatMap((each) => [each, each.split("-")[0] ?? ""])
    .find((each) => each === BASE || fileOf(each) !== undefined);
  const language = known ?? BASE;
  const own = await others[fileOf(language) ?? ""]?.().catch(() => undefined);
  return { language, say: (key, args = {}) => fill(own?.[key] ?? en[key], args) };
}
