/** How every node looks, and what is spoken for it. */
import type { Say } from "../board";
import { EMBLEM, KINDS, type Army } from "./armies";
import type { NodeLook } from "./node_look";
import type { Option } from "./moves";
import { RINGS, type Graph } from "./nodes";
import { foremost } from "./target_priority";

/** The facts about the nodes. */
interface BoardState {
  readonly graph: Graph;
  readonly armyOn: ReadonlyMap<number, Army>;
  /** The base of every seat, and the seats that have fallen. */
  readonly bases: readonly number[];
  readonly fallen: readonly number[];
  readonly mover: number;
  /** The armies that can be chosen, and those that have moved in the running turn. */
  readonly ready: ReadonlySet<number>;
  readonly rests: ReadonlySet<number>;
  readonly source: number | undefined;
  readonly targets: ReadonlyMap<number, readonly Option[]> | undefined;
  readonly drawing: readonly number[];
  /** The seats whose bases the mover is out for, and the ways by which the own base can be reached. */
  readonly enemies: readonly number[];
  readonly threats: readonly (readonly number[])[];
}

/** The looks of all nodes. A node that looks as before has the same look, so that only what has changed is drawn again. */
export class Looks {
  #before: readonly NodeLook[] = [];
  #rows: readonly (readonly NodeLook[])[] = [];
  readonly #places: Place[] = [];

  /** Returns how the nodes look now. */
  of(state: BoardState, say: Say): readonly NodeLook[] {
    // Words change with the language, which `say` does not tell.
    const words = say("place.empty", { node: "" });
    const place = (node: number): string => this.#place(state, node, say, words);
    const now = looksOf(state, say, place).map((look, node) => {
      const before = this.#before[node];
      return before !== undefined && isAlike(before, look) ? before : look;
    });
    this.#before = now;
    return now;
  }

  /** Returns looks ring by ring, without the red area. */
  rows(looks: readonly NodeLook[], { longitudes, red }: Graph): readonly (readonly NodeLook[])[] {
    this.#rows = Array.from({ length: RINGS }, (_, ring) => {
      const row = looks.slice(ring * longitudes, (ring + 1) * longitudes).filter(({ node }) => !red.has(node));
      const before = this.#rows[ring];
      return before?.length === row.length && row.every((look, index) => look === before[index]) ? before : row;
    });
    return this.#rows;
  }

  /** Returns what is spoken for a node and what is there; most nodes are as they were. */
  #place(state: BoardState, node: number, say: Say, words: string): string {
    const [army, fallen] = [state.armyOn.get(node), state.fallen.join()];
    const before = this.#places[node];
    if (before?.army === army && before?.fallen === fallen && before.graph === state.graph && before.words === words)
      return before.text;
    const text = placeOf(state, node, say);
    this.#places[node] = { army, fallen, graph: state.graph, words, text };
    return text;
  }
}

interface Place {
  readonly army: Army | undefined;
  readonly fallen: string;
  readonly graph: Graph;
  readonly words: string;
  readonly text: string;
}

function isAlike(one: NodeLook, other: NodeLook): boolean {
  const keys = Object.keys(one) as (keyof NodeLook)[];
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}

function looksOf(state: BoardState, say: Say, place: (node: number) => string): NodeLook[] {
  const { graph, bases, enemies, threats, source, targets } = state;
  const first =
    source === undefined || targets === undefined
      ? undefined
      : foremost({
          graph,
          source,
          targets: [...targets.keys()],
          takes: (node) => taken(state, node),
          goals: enemies.flatMap((seat) => bases[seat] ?? []),
          threats,
        });
  return graph.names.map((_, node) => lookOf(state, node, first, say, place(node)));
}

/** Tells whether something would be taken at a node. */
function taken({ armyOn, bases, fallen, mover }: BoardState, node: number): boolean {
  const base = bases.indexOf(node);
  return armyOn.has(node) || (base >= 0 && base !== mover && !fallen.includes(base));
}

function lookOf(
  state: BoardState,
  node: number,
  first: ReadonlySet<number> | undefined,
  say: Say,
  place: string,
): NodeLook {
  const { bases, ready, rests, source, targets, drawing } = state;
  const reach = targets?.get(node);
  const army = state.armyOn.get(node);
  const base = bases.indexOf(node);
  const fallen = state.fallen.includes(base);
  const takes = taken(state, node);
  const steps = (reach ?? []).map((option) => option.steps).join("/");
  const [fewest] = reach ?? [];
  const mark =
    node === source ? "moving" : reach ? (takes ? "capture" : "target") : ready.has(node) ? "candidate" : undefined;
  let label = place;
  if (reach) label = say(`board.plateau.reach${takes ? ".take" : ""}`, { place, steps });
  else if (mark === "moving") label = say("board.picked", { place });
  else if (mark === "candidate") label = say("board.next", { place });
  else if (rests.has(node)) label = say("board.plateau.rests", { place });
  return {
    node,
    label,
    ...(army && { army }),
    movable: ready.has(node),
    ...(mark && { mark }),
    ...(fewest && { steps: String(fewest.steps), several: (reach?.length ?? 0) > 1 }),
    ...(reach && first?.has(node) === false && { quiet: true }),
    ...(base >= 0 && { base, fallen }),
    ...(rests.has(node) && { rests: true }),
    ...(drawing.length > 1 && drawing.includes(node) && { drawn: true }),
  };
}

/** Returns the name of a node and what is there. */
function placeOf({ graph, armyOn, bases, fallen }: BoardState, node: number, say: Say): string {
  const name = graph.names[node] ?? "";
  const army = armyOn.get(node);
  const base = bases.indexOf(node);
  const stands = base >= 0 && !fallen.includes(base);
  if (army === undefined) return say(stands ? `place.base.${base}` : "place.empty", { node: name });
  const home = stands && army.seat === base && army.kind === EMBLEM;
  return say(`place.${army.seat}.${home ? "home" : KINDS[army.kind]}`, { node: name });
}
