/** The words of what is said at tables. */
import { speaker } from "../text/text.svelte";
import de from "./de.json";
import en from "./en.json";

export const say = speaker({ en, de });
