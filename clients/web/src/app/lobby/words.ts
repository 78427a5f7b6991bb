/** The words of what goes on, which comes after the first paint. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export const say = speaker("lobby", en);
