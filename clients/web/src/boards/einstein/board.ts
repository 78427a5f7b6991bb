import type { Board } from "../board";
import EinsteinBoard from "./EinsteinBoard.svelte";
import { narrate } from "./narration";

export const board: Board = { component: EinsteinBoard, narrate };
