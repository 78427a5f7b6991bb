/** The words of sharing a table. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export const say = speaker("share", en);
