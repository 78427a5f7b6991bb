/** Weaponized Chess in the cabinet: a field map on tin, and flat figures. */
import type { Skin } from "../skin";
import "./colours.css";
import Defs from "./Defs.svelte";
import Figure from "./Figure.svelte";
import Frame from "./Frame.svelte";
import Overprint from "./Overprint.svelte";
import Setting from "./ArticleFrame.svelte";

export const skin: Skin = { set: "cabinet", viewBox: "-66 -14 1080 1080", Defs, Frame, Overprint, Figure, Setting };
