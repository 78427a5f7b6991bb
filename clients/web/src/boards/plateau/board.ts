import type { Board } from "../board";
import { pace } from "./pace";
import PlateauBoard from "./PlateauBoard.svelte";
import { narrate } from "./narration";

export const board: Board = {
  component: PlateauBoard,
  narrate,
  waits: true,
  takesBack: true,
  pace,
  pacesComputers: true,
  endsAnimations: true,
};
