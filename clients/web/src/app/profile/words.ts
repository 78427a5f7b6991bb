/** The words of the pages about what players have played. They come with these pages, since nobody needs them to play. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export type ProfileKey = keyof typeof en;

/** Returns the sentence of a key. */
export const say = speaker("profile", en);
