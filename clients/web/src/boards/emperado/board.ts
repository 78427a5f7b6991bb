import type { EmperadoOptions } from "@brettwerk/client/v1/emperado";
import type { Board } from "../board";
import EmperadoBoard from "./EmperadoBoard.svelte";
import { pace } from "./pace";
import { narrate } from "./narration";
import { inWords } from "./notation_text";

export const board: Board = {
  component: EmperadoBoard,
  draws: (options) => ((options as EmperadoOptions | undefined)?.map ?? "") === "",
  wide: true,
  waits: true,
  callsPlayers: true,
  covers: true,
  narrate,
  readChoice: inWords,
  pace,
  quiet: "choice.done",
  takesBack: true,
};
