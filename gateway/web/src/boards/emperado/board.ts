import type { Board } from "../board";
import EmperadoBoard from "./EmperadoBoard.svelte";
import { pace } from "./pace";
import { tell } from "./tell";

export const board: Board = {
  component: EmperadoBoard,
  wide: true,
  waits: true,
  handsOver: true,
  tell,
  pace,
  quiet: "choice.done",
};
