/** How long what others do is shown: Infozeit, Tabellenzeit and Grafikzeit (EMP-TIME). */
import type { EmperadoEvent, EmperadoView } from "@brettwerk/client/v1/emperado";
import type { Happened, Stage } from "../board";

/** The time that means "until a key". */
export const UNTIL_A_KEY = 100;
/** Shares of the graphic time for which one action of a computer is shown, at most those of a second. */
const SHARES: Readonly<Partial<Record<string, number>>> = { fought: 0.4, placed: 0.15, moved: 0.25, entered: 0.15 };

/** How long a table stands that is not waited for, since the same round shows it again, in seconds. */
const PASSING_S = 1;

/**
 * Returns the stages in which an update is shown.
 *
 * A table that waits for a key waits once a round: before the player's next turn, where all turns since their last one are told.
 * Who has no seat, or whose game is over, has no such turn, and is waited for at each table.
 */
export function pace({ seat, events, view, newest, seats }: Happened): readonly Stage[] {
  const options = ((newest ?? view) as EmperadoView | undefined)?.position?.options;
  if (options === undefined) return [];
  const secondsOf = (time: number | undefined): number => (time === UNTIL_A_KEY ? Infinity : (time ?? 0));
  const info = secondsOf(options.infoTime);
  const table = secondsOf(options.tableTime);
  const graphic = secondsOf(options.graphicTime);
  const kinds = (events as readonly EmperadoEvent[]).map(({ kind }) => kind.case);
  const ends = kinds.includes("received") || kinds.includes("ended");
  const stages: Stage[] = [];
  if (seat !== undefined && seats[seat]?.computer === true) {
    const share = Math.max(0, ...kinds.map((kind) => SHARES[kind ?? ""] ?? 0));
    if (!ends) stages.push({ name: "step", seconds: share * Math.min(1, graphic) });
    // The time of the table is part of that of the arrows (EMP-TIME-4).
    else {
      const { toMove = 0, end = 0 } = (view as EmperadoView | undefined)?.position ?? {};
      const passes = table === Infinity && end === 0 && seats.some(({ mine }) => mine) && seats[toMove]?.mine !== true;
      const stands = Math.max(passes ? PASSING_S : table, graphic);
      stages.push({ name: table > 0 ? "turn" : "step", seconds: stands, rests: true });
    }
  }
  if (kinds.includes("received")) stages.push({ name: "info", seconds: info });
  return stages;
}
