/** The words of orders. */
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export const say = speaker("orders", en);
