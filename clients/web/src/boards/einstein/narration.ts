/** The events of a move in words. */
import type { Say, Narration } from "../board";
import { lastMove, SQUARES } from "./squares";

/** Returns the move among events and the roll after it, as they are spoken. */
export function narrate(events: readonly unknown[], say: Say): Narration {
  const moved = lastMove(events);
  const captures = moved !== undefined && moved.captured > 0;
  const args = {
    stone: String(moved?.stone ?? ""),
    source: SQUARES[moved?.source ?? 0] ?? "",
    target: SQUARES[moved?.target ?? 0] ?? "",
  };
  const roll = rolled(events);
  return {
    action: moved === undefined ? "" : say(captures ? "choice.capture" : "choice.move", args),
    after: "",
    ...(roll !== undefined && { roll: say("board.einstein.roll", { roll: String(roll) }) }),
    captures,
  };
}

function rolled(events: readonly unknown[]): number | undefined {
  for (const event of events as readonly { kind?: { case?: string; value?: unknown } }[]) {
    if (event.kind?.case === "rolled") return event.kind.value as number;
  }
  return undefined;
}
