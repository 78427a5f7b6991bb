/** What the player is told to do next. */
import type { Say } from "../board";
import type { Mode } from "./deeds";

/** How far choosing has come. */
export interface Step {
  readonly mode: Mode;
  /** Whether what the board alone does not tell apart is asked about. */
  readonly asks: boolean;
  /** Whether a piece is chosen, and whether others of its square could be. */
  readonly chosen: boolean;
  readonly others: boolean;
  /** Whether neighbouring squares are being chosen to be dozed along. */
  readonly gathering: boolean;
  /** Whether there is anything to aim at, and with what. */
  readonly aims: boolean;
  readonly tool: string;
}

/** Returns the hint for a step, as a sentence. */
export function hintOf({ mode, asks, chosen, others, gathering, aims, tool }: Step, say: Say): string {
  if (asks) return say("board.wec.hint.way");
  if (mode === "end" || mode === "reinforce" || !chosen) return say(`board.wec.hint.${mode}`);
  if (gathering) return say("board.wec.hint.doze");
  if (mode === "pick_up" || mode === "drop") return say("board.wec.hint.article");
  const aimed = say(aims ? "board.wec.hint.target" : "board.wec.hint.tool", { tool: say(tool) });
  return others ? `${aimed} ${say("board.wec.hint.again")}` : aimed;
}
