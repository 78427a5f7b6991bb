/** How long what computers do is shown, so that people can follow it. */
import type { PlateauEvent, PlateauView } from "@brettwerk/client/v1/plateau";
import type { Happened, Stage } from "../board";
import { STEP_MS } from "./motion";

/** A move is seen to be made, and then stands for so long, in seconds. */
const MOVE_S = 0.45;
/** For so long more when something falls to it. */
const CAPTURE_S = 0.4;
const FALL_S = 1.2;
/** Between the turns of computers. */
const TURN_S = 0.5;

/** Returns the stages in which an update is shown: only what computers do takes time, and the end of a turn only before another computer's. */
export function pace({ seat, events, view, seats }: Happened): readonly Stage[] {
  if (seat === undefined || seats[seat]?.computer !== true) return [];
  const next = (view as PlateauView | undefined)?.position?.toMove ?? 0;
  let seconds = 0;
  for (const { kind } of events as readonly PlateauEvent[]) {
    if (kind.case === "moved") {
      const { path, captured, conqueredSeat } = kind.value;
      seconds +=
        MOVE_S + (path.length * STEP_MS) / 1000 + (captured > 0 || conqueredSeat !== undefined ? CAPTURE_S : 0);
    } else if (kind.case === "fell") seconds += FALL_S;
    else if (kind.case === "ceased" && seats[next]?.computer === true) seconds += TURN_S;
  }
  return seconds > 0 ? [{ name: "shown", seconds }] : [];
}
