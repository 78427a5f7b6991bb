import type { Board } from "../board";
import EinsteinBoard from "./EinsteinBoard.svelte";
import { tell } from "./tell";

export const board: Board = { component: EinsteinBoard, tell };
