/** EMPERADO in the cabinet: an engraved map, coloured by hand, and seals of wax. */
import type { Skin } from "../skin";
import "./colours.css";
import Relief from "./Relief.svelte";
import Sea from "./Sea.svelte";
import Tag from "./Tag.svelte";

export const skin: Skin = { set: "cabinet", Sea, Relief, Tag };
