/** The words for a player whom the browser forgets. */
import { speaker } from "../text/text.svelte";
import de from "./de.json";
import en from "./en.json";

export const say = speaker({ en, de });
