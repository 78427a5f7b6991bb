import type { Board } from "../board";
import { pace } from "./pace";
import { tell } from "./tell";
import WecBoard from "./WecBoard.svelte";

export const board: Board = {
  component: WecBoard,
  tell,
  pace,
  pacesComputers: true,
};
