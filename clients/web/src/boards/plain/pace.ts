/** How long something is shown on the board that knows no game. */
import { still } from "../animation";
import type { Happened, Stage } from "../board";

const SECONDS = 0.9;

/**
 * Returns one stage for what others go on from, so that each of several moves can be seen; none for what the player is to answer,
 * nor for players who want reduced motion: what has happened stands below the board.
 */
export function plainPace({ seats }: Pick<Happened, "seats">): readonly Stage[] {
  const goesOn = seats.some(({ acts, mine }) => acts && !mine);
  return goesOn && !still() ? [{ name: "moved", seconds: SECONDS }] : [];
}
