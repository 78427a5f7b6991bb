/** The words of what is said at tables. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export const say = speaker("talk", en);
