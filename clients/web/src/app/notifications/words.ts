/** The words of notifications. */
import { finder, speaker } from "../text/text.svelte";
import en from "./en.json";

export const say = speaker("notifications", en);

/** Returns the sentence of a key that may not be one of these, or undefined; what is to be filled in stands in it. */
export const sentence: (key: string) => string | undefined = finder("notifications", en);
