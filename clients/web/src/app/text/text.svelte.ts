/** The words of the client in the player's language. */
import { settings, type Language } from "../settings.svelte";
import de from "./de.json";
import en from "./en.json";
import { fill, type Args } from "./fill";

export type Key = keyof typeof en;

const catalogues: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, de };

/** Returns what says the sentences of catalogues in the player's language. */
export function speaker<Catalogue extends Readonly<Record<string, string>>>(
  own: Readonly<Record<Language, Catalogue>>,
): (key: keyof Catalogue, args?: Args) => string {
  return (key, args = {}) => fill(own[settings.language][key] ?? String(key), args);
}

/** Returns the sentence of a key. */
export const t: (key: Key, args?: Args) => string = speaker({ en, de });

/** Returns the sentence of a key that may not be one of the client's, or undefined. */
export function find(key: string, args: Args = {}): string | undefined {
  const sentence = catalogues[settings.language][key];
  return sentence === undefined ? undefined : fill(sentence, args);
}

/** Returns a place in order (1st, 2nd) as it is written in the player's language. */
export function ordinal(place: number): string {
  const rule = new Intl.PluralRules(settings.language, { type: "ordinal" }).select(place);
  return find(`place.${rule}`, { place }) ?? String(place);
}

/** Returns names as a list (A, B and C) in the player's language. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(settings.language).format(names);
}

/** Returns a moment, in milliseconds since 1970, as it is written in the player's language. */
export function moment(ms: number): string {
  return new Intl.DateTimeFormat(settings.language, { dateStyle: "medium", timeStyle: "short" }).format(ms);
}

/** Returns a moment like `moment`, with the name of the time zone: for what others elsewhere are to keep. */
export function momentAndZone(ms: number): string {
  return new Intl.DateTimeFormat(settings.language, {
    ...{ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
    timeZoneName: "short",
  }).format(ms);
}

/** Returns a number as it is written in the player's language. */
export function number(count: number): string {
  return new Intl.NumberFormat(settings.language).format(count);
}
