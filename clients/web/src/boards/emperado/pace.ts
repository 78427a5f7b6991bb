/** How long what others do is shown: Infozeit, Tabellenzeit and Grafikzeit (EMP-TIME). */
import type { EmperadoEvent, EmperadoView } from "@brettwerk/client/v1/emperado";
import type { Around, Happened, Stage } from "../board";

/** The time that means "until a key". */
export const UNTIL_A_KEY = 100;
/** Shares of the graphic time for which one action of a computer is shown, at most those of a second. */
const SHARES: Readonly<Partial<Record<string, number>>> = { fought: 0.4, placed: 0.15, moved: 0.25, entered: 0.15 };
/** The share of the graphic time that all actions of a turn have together, however many they are. */
const STEPS = 0.8;

/** How long a table stands that is not waited for, since the same round shows it again, in seconds. */
const PASSING_S = 1;

/** Returns how many seconds a time of the options is. */
export function secondsOf(time: number | undefined): number {
  return time === UNTIL_A_KEY ? Infinity : (time ?? 0);
}

/**
 * Returns the stages in which an update is shown.
 *
 * A table that waits for a key waits once a round: before the player's next turn, where all turns since their last one are told.
 * Those who have no seat, or whose game is over, have no such turn, and are waited for at each table. A reinforcement delays
 * nobody, unless it waits for a key: it stands over the map while the game goes on.
 */
export function pace({ seat, events, view, newest, seats, around }: Happened): readonly Stage[] {
  const options = ((newest ?? view) as EmperadoView | undefined)?.position?.options;
  if (options === undefined) return [];
  const table = secondsOf(options.tableTime);
  const graphic = secondsOf(options.graphicTime);
  const kinds = kindsOf(events);
  const stages: Stage[] = [];
  if (seat !== undefined && seats[seat]?.computer === true) {
    if (!endsTurn(events)) {
      const total = around === undefined ? 0 : shareOfTurn(around());
      const crowded = Math.min(1, (STEPS * Math.max(1, graphic)) / total);
      stages.push({ name: "step", seconds: shareOf(events) * Math.min(1, graphic) * crowded, minor: true });
    } else {
      // The time of the table is part of that of the arrows (EMP-TIME-4).
      const { toMove = 0, end = 0 } = (view as EmperadoView | undefined)?.position ?? {};
      const passes = table === Infinity && end === 0 && seats.some(({ mine }) => mine) && seats[toMove]?.mine !== true;
      const stands = Math.max(passes ? PASSING_S : table, graphic);
      stages.push({ name: table > 0 ? "turn" : "step", seconds: stands, rests: true });
    }
  }
  if (kinds.includes("received") && options.infoTime === UNTIL_A_KEY) stages.push({ name: "info", seconds: Infinity });
  return stages;
}

function kindsOf(events: readonly unknown[]): (string | undefined)[] {
  return (events as readonly EmperadoEvent[]).map(({ kind }) => kind.case);
}

/** Whether the turn, or the game, is over with these events. */
function endsTurn(events: readonly unknown[]): boolean {
  const kinds = kindsOf(events);
  return kinds.includes("received") || kinds.includes("ended");
}

/** Returns the share that a ply has. */
function shareOf(events: readonly unknown[]): number {
  return Math.max(0, ...kindsOf(events).map((kind) => SHARES[kind ?? ""] ?? 0));
}

/** Returns the share that all plies of the turn have together, as far as they are known. */
function shareOfTurn({ led, follow }: Around): number {
  const begins = led.findLastIndex(endsTurn) + 1;
  const ends = follow.findIndex(endsTurn);
  const plies = [...led.slice(begins), ...follow.slice(0, ends < 0 ? follow.length : ends)];
  return plies.reduce((sum, events) => sum + shareOf(events), 0);
}
