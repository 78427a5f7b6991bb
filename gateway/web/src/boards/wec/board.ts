import type { Board } from "../board";
import { pace } from "./pace";
import { inWords } from "./reading";
import { narrate } from "./narration";
import WecBoard from "./WecBoard.svelte";

export const board: Board = {
  component: WecBoard,
  narrate,
  read: inWords,
  pace,
  pacesComputers: true,
};
