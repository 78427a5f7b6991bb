/** EinStein in the cabinet: a board of wood and brass, stones from a lathe. */
import type { Skin } from "../skin";
import "./colours.css";
import Defs from "./Defs.svelte";
import Ground from "./Ground.svelte";
import Stone from "./Stone.svelte";

export const skin: Skin = { set: "cabinet", viewBox: "-36 -36 572 572", Defs, Ground, Stone };
