import type { Board } from "../board";
import { pace } from "./pace";
import PlateauBoard from "./PlateauBoard.svelte";
import { tell } from "./tell";

export const board: Board = { component: PlateauBoard, tell, waits: true, pace, pacesComputers: true };
