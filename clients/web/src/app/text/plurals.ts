/** Which form of a sentence a number takes, by the rules of each language (CLDR), which browsers know. */
import type { Catalogue, Language } from "./languages";

/**
 * Returns the sentence of a key: of its forms (`saved.one`, `saved.few`) the one of the number's category, else the one for all
 * numbers (`saved`); undefined where there is none.
 */
export function formOf(catalogue: Catalogue, language: Language, key: string, count?: number): string | undefined {
  if (count === undefined || catalogue[key] === undefined) return catalogue[key];
  return catalogue[`${key}.${new Intl.PluralRules(language).select(count)}`] ?? catalogue[key];
}
