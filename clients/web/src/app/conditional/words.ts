/** The words of conditional moves. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export const say = speaker("conditional", en);
