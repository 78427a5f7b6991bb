import type { Board } from "../board";
import EinsteinBoard from "./EinsteinBoard.svelte";

export const board: Board = { component: EinsteinBoard };
