/** The words of notifications. */
import { settings, type Language } from "../settings.svelte";
import { speaker } from "../text/text.svelte";
import de from "./de.json";
import en from "./en.json";

const catalogues: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, de };

export const say = speaker({ en, de });

/** Returns the sentence of a key that may not be one of these, or undefined; what is to be filled in stands in it. */
export function sentence(key: string): string | undefined {
  return catalogues[settings.language][key];
}
