/** Empire Plateau in the cabinet: a carved disc, and armies cast in metal. */
import type { Dress } from "../skin";
import "./colours.css";
import Defs from "./Defs.svelte";
import Ground from "./Ground.svelte";
import Token from "./Token.svelte";

export const dress: Dress = { set: "cabinet", Defs, Ground, Token };
