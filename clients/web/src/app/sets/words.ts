/** The words for sets of boards and pieces. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export const say = speaker("sets", en);
