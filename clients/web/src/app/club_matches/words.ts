/** The words of matches of clubs. They come with the pages that show them. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export type ClubMatchKey = keyof typeof en;

/** Returns the sentence of a key. */
export const say = speaker("club_matches", en);

/** Returns whether there is a sentence of a key. */
export function isKey(key: string): key is ClubMatchKey {
  return Object.hasOwn(en, key);
}
