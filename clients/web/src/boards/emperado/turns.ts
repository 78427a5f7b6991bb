/** The turns that were played, as the move table tells them (EMP-TABLE). */
import type { EmperadoEvent, EmperadoFought, EmperadoReceived, EmperadoThrow } from "@brettwerk/client/v1/emperado";

import type { Arrow } from "./marks";

/** Most arrows that are drawn at once. */
const MAX_ARROWS = 60;

/** A line of the table. All that was done between the same two countries is one line. */
export type Line =
  | { readonly kind: "placed"; readonly country: number; armies: number; readonly before: number }
  | {
      readonly kind: "fought";
      readonly source: number;
      readonly target: number;
      readonly attackers: number;
      readonly defenders: number;
      attackersLeft: number;
      defendersLeft: number;
      throws: number;
    }
  | { readonly kind: "moved"; readonly source: number; readonly target: number; armies: number }
  | { readonly kind: "eliminated"; readonly seat: number }
  | { readonly kind: "exchanged"; readonly paid: number }
  | { readonly kind: "drew" };

/** The actions of a seat in a turn. */
export interface Turn {
  readonly seat: number;
  readonly received: EmperadoReceived | undefined;
  readonly lines: readonly Line[];
  /** The last throws of the last attack. */
  readonly throws: readonly EmperadoThrow[];
}

interface Writing {
  readonly seat: number;
  readonly received: EmperadoReceived | undefined;
  readonly lines: Line[];
  throws: readonly EmperadoThrow[];
}

/** Returns the turns that the events tell of, the present one last; the first may lack its beginning. */
export function turnsOf(recent: readonly (readonly unknown[])[]): Turn[] {
  const turns: Writing[] = [];
  for (const { kind } of recent.flat() as EmperadoEvent[]) {
    if (kind.case === undefined || kind.case === "ended") continue;
    const last = turns.at(-1);
    if (kind.case === "received") {
      turns.push({ seat: kind.value.seat, received: kind.value, lines: [], throws: [] });
      continue;
    }
    const seat = kind.case === "eliminated" ? last?.seat : kind.value.seat;
    let turn = last;
    if (turn === undefined || (seat !== undefined && turn.seat !== seat)) {
      turn = { seat: seat ?? 0, received: undefined, lines: [], throws: [] };
      turns.push(turn);
    }
    write(turn, kind);
  }
  return turns;
}

function write(turn: Writing, kind: EmperadoEvent["kind"]): void {
  const { lines } = turn;
  switch (kind.case) {
    case "placed": {
      const { country, armies, before } = kind.value;
      const line = lines.find((each) => each.kind === "placed" && each.country === country);
      if (line?.kind === "placed") line.armies += armies;
      else lines.push({ kind: "placed", country, armies, before });
      break;
    }
    case "fought":
      turn.throws = kind.value.last;
      fight(lines, kind.value);
      break;
    case "moved": {
      const { source, target, armies } = kind.value;
      const line = lines.find((each) => each.kind === "moved" && each.source === source && each.target === target);
      if (line?.kind === "moved") line.armies += armies;
      else lines.push({ kind: "moved", source, target, armies });
      break;
    }
    case "eliminated":
      lines.push({ kind: "eliminated", seat: kind.value.seat });
      break;
    case "exchanged":
      lines.push({ kind: "exchanged", paid: kind.value.paid });
      break;
    case "drew":
      lines.push({ kind: "drew" });
      break;
    default:
  }
}

function fight(lines: Line[], fought: EmperadoFought): void {
  const { source, target, attackers, defenders, attackersLost, defendersLost, throws } = fought;
  const [attackersLeft, defendersLeft] = [attackers - attackersLost, defenders - defendersLost];
  const line = lines.findLast((each) => each.kind === "fought");
  if (line?.kind === "fought" && line.source === source && line.target === target && line.defendersLeft > 0) {
    Object.assign(line, { attackersLeft, defendersLeft, throws: line.throws + throws });
  } else {
    lines.push({ kind: "fought", source, target, attackers, defenders, attackersLeft, defendersLeft, throws });
  }
}

/** Returns the turns since the last one of a seat, without it; all of them when it had none. */
export function turnsSince(turns: readonly Turn[], seat: number): Turn[] {
  const last = turns.findLastIndex((turn) => turn.seat === seat && turn.lines.length > 0);
  return turns.slice(last + 1).filter((turn) => turn.seat !== seat);
}

/** Returns the arrows of what was done in turns: the newest attacks, and the newest moves when they are wanted. */
export function arrowsOf(turns: readonly Turn[], moves: boolean): Arrow[] {
  return turns
    .flatMap(({ seat, lines }) =>
      lines.flatMap((line): Arrow[] => {
        if (line.kind === "moved") return moves ? [{ ...line, kind: "moved", seat }] : [];
        if (line.kind !== "fought") return [];
        return [{ ...line, kind: line.defendersLeft === 0 ? "captured" : "repelled", seat }];
      }),
    )
    .slice(-MAX_ARROWS);
}
