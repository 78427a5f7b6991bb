/** The clock of a new table: what the form holds, and what the server is told. */
import type { MessageInitShape } from "@bufbuild/protobuf";
import { ClockSpec_Kind, type ClockSpecSchema } from "../../api/generated/brettwerk/v1/record_pb";

export interface ClockForm {
  readonly kind: "none" | "turn" | "total";
  /** The time of a turn, in seconds. */
  readonly turnSeconds: number;
  /** The time of the whole game, in minutes. */
  readonly totalMinutes: number;
  /** What each finished turn adds to it, in seconds. */
  readonly incrementSeconds: number;
}

export const NO_CLOCK: ClockForm = { kind: "none", turnSeconds: 60, totalMinutes: 5, incrementSeconds: 3 };

const DAY_S = 86_400;

function milliseconds(value: number, least: number, most: number): bigint {
  const bounded = Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : least;
  return BigInt(Math.round(bounded * 1000));
}

/** Returns the clock as the server is told it, numbers brought into their bounds; undefined for none. */
export function tellClock(form: ClockForm): MessageInitShape<typeof ClockSpecSchema> | undefined {
  switch (form.kind) {
    case "none":
      return undefined;
    case "turn":
      return { kind: ClockSpec_Kind.PER_TURN, timeMs: milliseconds(form.turnSeconds, 1, 30 * DAY_S) };
    case "total":
      return {
        kind: ClockSpec_Kind.TOTAL,
        timeMs: milliseconds(form.totalMinutes * 60, 1, 30 * DAY_S),
        incrementMs: milliseconds(form.incrementSeconds, 0, DAY_S),
      };
  }
}
