/** A film never delays a player who knows what to do: their first touch of the board ends it, and counts. */
import { flushSync } from "svelte";
import { choosesOnBoard, placeOf } from "../../keys";
import type { Table } from "../state/table.svelte";

/** Whether the player is to act, and what led to it is still being shown. */
function isKeptWaiting({ playback, board, looking, covered, live, acting }: Table): boolean {
  if (playback.at === undefined || board?.endsAnimations !== true || looking !== undefined || covered) return false;
  return acting !== undefined && live?.toAct.includes(acting) === true;
}

/**
 * Shows a player who is to act at once what the position is, when they touch the squares of the board or choose there by key. Called
 * before the board is told of it, which then has what can be done.
 */
export function endAnimation(table: Table, event: PointerEvent | KeyboardEvent): void {
  const place = placeOf(event.target);
  if (place !== "grid" || ("key" in event && !choosesOnBoard(event, place)) || !isKeptWaiting(table)) return;
  flushSync(() => table.playback.skip());
}
