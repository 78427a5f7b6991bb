/** The words for a player whom the browser forgets. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export const say = speaker("way_back", en);
