/** The words of reporting something to the moderators. They come with what shows them. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export const say = speaker("reports", en);
