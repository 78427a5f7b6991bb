/** The plies of a game folded together: those that one seat played one after another are a turn. */
import { Happening_Kind, type Update } from "@brettwerk/client/v1/sessions";

/** Plies that belong together. */
export interface Turn {
  /** The version of its first ply, which names it. */
  readonly first: bigint;
  /** The seat that acted; undefined where no seat did, and the turn is one ply of what happened to the game. */
  readonly seat: number | undefined;
  readonly plies: readonly Update[];
}

function seatOf({ happening }: Update): number | undefined {
  return happening?.kind === Happening_Kind.ACTED ? happening.concernedSeat : undefined;
}

/** Returns the turns of a game. Those that are as they were among `before` are the same objects. */
export function turnsOf(plies: readonly Update[], before: readonly Turn[] = []): Turn[] {
  const groups: Update[][] = [];
  let acting: number | undefined;
  for (const ply of plies) {
    const seat = seatOf(ply);
    const group = groups.at(-1);
    if (group !== undefined && seat !== undefined && seat === acting) group.push(ply);
    else groups.push([ply]);
    acting = seat;
  }
  return groups.map((group, index) => {
    const known = before[index];
    const isAsBefore = known?.plies.length === group.length && known.plies.every((ply, at) => ply === group[at]);
    const [first] = group;
    if (known !== undefined && isAsBefore) return known;
    return { first: first?.version ?? 0n, seat: first === undefined ? undefined : seatOf(first), plies: group };
  });
}

/** Returns the number of each turn of a game whose board counts them, given that of the view that the first one began in. */
export function numbersOf(turns: readonly Turn[], first: number): ReadonlyMap<bigint, number> {
  const numbers = new Map<bigint, number>();
  for (const turn of turns) if (turn.seat !== undefined) numbers.set(turn.first, first + numbers.size);
  return numbers;
}
