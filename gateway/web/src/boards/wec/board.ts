import type { Board } from "../board";
import { pace } from "./pace";
import { inWords } from "./reading";
import { tell } from "./tell";
import WecBoard from "./WecBoard.svelte";

export const board: Board = {
  component: WecBoard,
  tell,
  read: inWords,
  pace,
  pacesComputers: true,
};
