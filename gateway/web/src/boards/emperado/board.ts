import type { Board } from "../board";
import EmperadoBoard from "./EmperadoBoard.svelte";
import { pace } from "./pace";
import { narrate } from "./narration";

export const board: Board = {
  component: EmperadoBoard,
  wide: true,
  waits: true,
  handsOver: true,
  narrate,
  pace,
  quiet: "choice.done",
};
