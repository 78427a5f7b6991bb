/** The words of the pages of lessons. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export const say = speaker("lessons", en);
