/** The words of premoves. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export const say = speaker("premove", en);
