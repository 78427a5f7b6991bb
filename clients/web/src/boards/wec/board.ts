import type { WecView } from "@brettwerk/client/v1/wec";
import type { Board } from "../board";
import { pace } from "./pace";
import { inWords } from "./notation_text";
import { narrate } from "./narration";
import WecBoard from "./WecBoard.svelte";

export const board: Board = {
  component: WecBoard,
  narrate,
  read: inWords,
  turn: (view) => (view as WecView).ply,
  pace,
  pacesComputers: true,
  endsAnimations: true,
  premoves: true,
  keys: [
    { key: "1 – 7", words: "board.wec.key.modes" },
    { key: "l", words: "board.wec.key.level" },
    { key: "r", words: "board.wec.key.reach" },
  ],
};
