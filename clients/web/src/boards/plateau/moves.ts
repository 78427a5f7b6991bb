/** The choices of a turn by army and target, and the turns that have been made. */
import type { PlateauAction, PlateauEvent } from "@brettwerk/client/v1/plateau";
import type { Choice } from "../board";

/** A way to make a move: in that many steps. */
export interface Option {
  readonly steps: number;
  readonly choice: Choice;
}

/** The possible actions: by army's node and target the options, fewest steps first; and the end of the turn. */
export interface Offer {
  readonly moves: ReadonlyMap<number, ReadonlyMap<number, readonly Option[]>>;
  readonly end: Choice | undefined;
}

/** Returns the choices in order. */
export function offerOf(choices: readonly Choice[]): Offer {
  const moves = new Map<number, Map<number, Option[]>>();
  let end: Choice | undefined;
  for (const choice of choices) {
    const kind = (choice.action as PlateauAction | undefined)?.kind;
    if (kind?.case === "endTurn") end = choice;
    if (kind?.case !== "move") continue;
    const { source, target, steps } = kind.value;
    const targets = moves.get(source) ?? new Map<number, Option[]>();
    targets.set(
      target,
      [...(targets.get(target) ?? []), { steps, choice }].sort((one, other) => one.steps - other.steps),
    );
    moves.set(source, targets);
  }
  return { moves, end };
}

/** A move that was made. */
export interface Made {
  readonly seat: number;
  readonly kind: number;
  readonly path: readonly number[];
  readonly captures: boolean;
}

/** A turn: who made it, and its moves. */
export interface Turn {
  readonly seat: number;
  readonly moves: readonly Made[];
  readonly over: boolean;
}

/** Returns the turns that events describe, the running one last; of the first one its beginning may be missing. */
export function turnsOf(plies: readonly (readonly unknown[])[]): Turn[] {
  const turns: { seat: number; moves: Made[]; over: boolean }[] = [];
  for (const event of plies.flat() as readonly PlateauEvent[]) {
    const { kind } = event;
    let turn = turns.at(-1);
    if (kind.case === "moved") {
      const { seat, army, path, captured, conqueredSeat } = kind.value;
      if (turn === undefined || turn.over || turn.seat !== seat) turns.push((turn = { seat, moves: [], over: false }));
      turn.moves.push({ seat, kind: army, path, captures: captured > 0 || conqueredSeat !== undefined });
    } else if (kind.case === "ceased" && turn?.seat === kind.value.seat) turn.over = true;
  }
  return turns;
}

/** Returns the moves of the running turn of a seat. */
export function running(turns: readonly Turn[], seat: number): readonly Made[] {
  const last = turns.at(-1);
  return last?.seat === seat && !last.over ? last.moves : [];
}

/** Returns the last finished turn of every seat but one, the oldest first: what has happened since that seat's own turn. */
export function since(turns: readonly Turn[], seat: number): Turn[] {
  const over = turns.filter((turn) => turn.over || turn !== turns.at(-1) || turn.seat !== seat);
  const own = over.findLastIndex((turn) => turn.seat === seat);
  return over.slice(own + 1).slice(-3);
}
