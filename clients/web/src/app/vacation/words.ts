/** The words of vacations. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export const say = speaker("vacation", en);
