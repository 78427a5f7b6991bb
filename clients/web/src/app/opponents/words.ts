/** The words of finding opponents. They come with what shows them, since nobody needs them to play alone. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export type OpponentKey = keyof typeof en;

/** Returns the sentence of a key. */
export const say = speaker("opponents", en);
