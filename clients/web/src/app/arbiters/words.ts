/** The words of arbiters, which come with what shows them. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

/** Returns the sentence of a key. */
export const say = speaker("arbiters", en);
