/** The words of the page for operators. They come with it. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

type OperatorKey = keyof typeof en;

/** Returns the sentence of a key. */
export const say = speaker("operator", en);

/** Returns whether there is a sentence of a key. */
export function isKey(key: string): key is OperatorKey {
  return Object.hasOwn(en, key);
}
