/** Empire Plateau in the cabinet: a carved disc, and armies cast in metal. */
import type { Skin } from "../skin";
import "./colours.css";
import Defs from "./Defs.svelte";
import Ground from "./Ground.svelte";
import Token from "./Token.svelte";

export const skin: Skin = { set: "cabinet", Defs, Ground, Token };
