/** The words of games that are watched together. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

/** Returns the sentence of a key. */
export const say = speaker("viewing", en);
