/** The words of the client in the player's language, and in English where that lacks some. */
import { settings } from "../settings.svelte";
import type { Words } from "../../boards/tour";
import en from "./en.json";
import { fill, type Args } from "./fill";
import { BASE, FIRST, type Catalogue } from "./languages";
import { formOf } from "./plurals";
import { words } from "./words.svelte";

export type Key = keyof typeof en;

/**
 * Returns what finds the sentence of a key in the player's language, or else in English: undefined for a key that English has not
 * either. Of several forms it is the one that goes with `count`.
 */
export function finder(feature: string, english: Catalogue): (key: string, count?: number) => string | undefined {
  return (key, count) =>
    formOf(words.of(settings.language, feature), settings.language, key, count) ?? formOf(english, BASE, key, count);
}

/** Returns what says the sentences of a feature, whose English ones are given, in the player's language. */
export function speaker<Own extends Catalogue>(feature: string, english: Own): (key: keyof Own, args?: Args) => string {
  const sentence = finder(feature, english);
  return (key, args = {}) => filled(sentence(String(key), countIn(args)) ?? String(key), args);
}

const own = finder(FIRST, en);

/** Returns the sentence of a key. */
export const t: (key: Key, args?: Args) => string = speaker(FIRST, en);

/** Returns the sentence of a key that may not be one of the client's, or undefined. */
export function find(key: string, args: Args = {}): string | undefined {
  const sentence = own(key, countIn(args));
  return sentence === undefined ? undefined : filled(sentence, args);
}

/** Returns a sentence of a board in the player's language. */
export function sentenceOf(sentence: Words): string {
  return words.sentence(settings.language, sentence);
}

function countIn(args: Args): number | undefined {
  return typeof args["count"] === "number" ? args["count"] : undefined;
}

/** Returns a sentence with what belongs into it; a count is written as the player's language writes numbers. */
function filled(sentence: string, args: Args): string {
  const count = countIn(args);
  return fill(sentence, count === undefined ? args : { ...args, count: number(count) });
}

/** Returns a place in order (1st, 2nd) as it is written in the player's language. */
export function ordinal(place: number): string {
  const rule = new Intl.PluralRules(settings.language, { type: "ordinal" }).select(place);
  return find(`place.${rule}`, { place }) ?? find("place.other", { place }) ?? String(place);
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
