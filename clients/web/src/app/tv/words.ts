/** The words of a table's screen for the room. They come with its page. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

/** Returns the sentence of a key. */
export const say = speaker("tv", en);
