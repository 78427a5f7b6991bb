/** Whether what concerns the player and others may have something to show: it comes when it is needed first. */
import { browserStorage } from "../api/storage";

export const company = $state({ wanted: browserStorage("sessionStorage").getItem("brettwerk.seek") !== null });
