/** Hints that tell the player what to do next. */
import type { Say } from "../board";
import type { Mode } from "./orders";

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
  /** How the piece can change its level on the spot: the key of the words; empty when it cannot, or only by a button. */
  readonly lift: string;
  /** The failure of the only way there is, which is asked about; empty when it does not fail. */
  readonly failure: string;
  /** Whether the Turn was to be ended with something begun and not done. */
  readonly half: boolean;
  /** Whether there is anything to aim at, and with what. */
  readonly aims: boolean;
  readonly tool: string;
}

/** Returns the hint for a step, as a sentence. */
export function hintOf(step: Step, say: Say): string {
  const { mode, asks, chosen, others, gathering, lift, failure, half, aims, tool } = step;
  if (half) return say(`board.wec.hint.half.${mode}`);
  if (failure !== "") return say(`board.wec.hint.${failure}`);
  if (asks) return say("board.wec.hint.way");
  if (mode === "end" || mode === "reinforce" || !chosen) return say(`board.wec.hint.${mode}`);
  if (gathering) return say("board.wec.hint.doze");
  if (mode === "pick_up" || mode === "drop") return say("board.wec.hint.article");
  const aimed = say(aims ? "board.wec.hint.target" : "board.wec.hint.tool", { tool: say(tool) });
  if (others) return `${aimed} ${say("board.wec.hint.again")}`;
  return lift === "" ? aimed : `${aimed} ${say(`board.wec.hint.${lift}`)}`;
}
