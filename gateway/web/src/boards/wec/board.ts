import type { Board } from "../board";
import Editor from "./Editor.svelte";
import { pace } from "./pace";
import { tell } from "./tell";
import WecBoard from "./WecBoard.svelte";

export const board: Board = {
  component: WecBoard,
  editor: Editor,
  tell,
  pace,
  pacesComputers: true,
};
