/** How a move comes about: an army is chosen, where it goes, in how many steps, or node by node on which way. */
import type { Choice } from "../board";
import type { Army } from "./armies";
import type { Offer, Option } from "./moves";
import { distance, joined, nodesIn, type Graph } from "./nodes";
import { wayOf, type Ground } from "./ways";

/** The most steps that a question to the server has. */
const MAX_STEPS = 12;

/** The choices of the moment. */
export interface Moment {
  /** Another text when the position is another one: a choice holds as long as the position does. */
  readonly of: string;
  readonly acts: boolean;
  /** Whether the rest of the moves has to be fetched. */
  readonly more: boolean;
  readonly mover: number;
  readonly offer: Offer;
  /** The armies that can be chosen. */
  readonly ready: ReadonlySet<number>;
  readonly armyOn: ReadonlyMap<number, Army>;
  readonly graph: Graph;
  readonly ground: Ground;
  /** Whether ways are drawn node by node. */
  readonly draws: boolean;
}

/** The effects of choosing. */
interface Outcomes {
  readonly choose: (choice: Choice) => void;
  /** Asks for a move that is put together; without a path the server finds one, or says why there is none. */
  readonly build: (source: number, target: number, steps: number, path: readonly number[]) => void;
  readonly more: () => void;
  readonly focus: (node: number) => void;
}

interface Picked {
  readonly of: string;
  readonly source?: number;
  /** A target that can be reached in several numbers of steps. */
  readonly target?: number;
  /** A way that the player draws. */
  readonly path?: readonly number[];
}

export class Choosing {
  /** The node under the pointer or the focus. */
  hovered = $state<number | undefined>();
  /** The number of steps that is looked at. */
  looked = $state<number | undefined>();
  #touched = $state.raw<Picked>({ of: "" });
  /** A way that an army was dragged before it was known where it can go. */
  #waiting: { readonly of: string; readonly path: readonly number[] } | undefined;
  readonly #now: () => Moment;
  readonly #outcomes: Outcomes;

  constructor(now: () => Moment, outcomes: Outcomes) {
    this.#now = now;
    this.#outcomes = outcomes;
  }

  get #picked(): Picked {
    const { of } = this.#now();
    return this.#touched.of === of ? this.#touched : { of };
  }

  /** The army that is chosen. */
  get source(): number | undefined {
    return this.#picked.source;
  }

  /** The target whose number of steps is still open. */
  get target(): number | undefined {
    return this.#picked.target;
  }

  /** Where the chosen army can go, in which numbers of steps; undefined when nowhere. */
  get targets(): ReadonlyMap<number, readonly Option[]> | undefined {
    return this.source === undefined ? undefined : this.#now().offer.moves.get(this.source);
  }

  /** The numbers of steps to choose from. */
  get options(): readonly Option[] {
    return this.target === undefined ? [] : (this.targets?.get(this.target) ?? []);
  }

  /** The way that is being drawn, the army's node first; empty when none is. */
  get drawing(): readonly number[] {
    const { source, path } = this.#picked;
    return this.#now().draws && source !== undefined ? (path ?? [source]) : [];
  }

  /** The way to what is pointed at, as it would be played. */
  get preview(): readonly number[] | undefined {
    const target = this.target ?? this.hovered;
    if (this.source === undefined || target === undefined) return undefined;
    const reach = this.targets?.get(target);
    const option = reach?.find((each) => each.steps === this.looked) ?? reach?.[0];
    return option && wayOf(this.#now().ground, this.source, target, option.steps);
  }

  /** Chooses an army. */
  pick(node: number): void {
    const { of, more } = this.#now();
    this.#touched = { of, source: node };
    if (more) this.#outcomes.more();
  }

  /** Starts again. */
  cancel(): void {
    this.#touched = { of: "" };
  }

  /** Does what a touch of a node means. */
  touch(node: number): void {
    const { acts, graph, mover, ready, armyOn } = this.#now();
    const { source, drawing } = this;
    if (!acts) return;
    if (source === undefined) {
      const [beside] = joined(graph, node);
      if (ready.has(node)) this.pick(node);
      else if (armyOn.get(node)?.seat === mover && beside !== undefined) this.#ask(node, beside);
      return;
    }
    if (drawing.length > 0 && this.#draw(source, node)) return;
    if (node === source) this.cancel();
    else if (this.targets?.has(node)) this.#go(source, node);
    else if (ready.has(node)) this.pick(node);
    else this.#ask(source, node);
  }

  /** Plays the chosen move in one of its numbers of steps. */
  play(option: Option): void {
    const { source, target } = this;
    if (source !== undefined && target !== undefined) this.#play(source, option, target);
  }

  /** Sends the way that was drawn. */
  drawn(): void {
    const { source, drawing } = this;
    const target = drawing.at(-1);
    if (source === undefined || target === undefined || drawing.length < 2) return;
    this.cancel();
    this.#outcomes.build(source, target, drawing.length - 1, drawing);
  }

  /** Does what dragging an army over nodes means: that way where it is one, the target otherwise. */
  drop(path: readonly number[]): void {
    const { of, acts, more, graph, ground, offer } = this.#now();
    const [army, target] = [path[0], path.at(-1)];
    if (!acts || army === undefined || target === undefined) return;
    if (more) {
      this.#waiting = { of, path };
      return;
    }
    const reach = offer.moves.get(army)?.get(target);
    if (reach === undefined) {
      this.#ask(army, target);
      return;
    }
    const gone = path.every((node, index) => index === 0 || joined(graph, path[index - 1] ?? -1).includes(node));
    const free = path.slice(1, -1).every((node) => ground.open(army, node));
    const option = gone && free ? reach.find((each) => each.steps === path.length - 1) : undefined;
    if (option) this.#play(army, option, target, path);
    else this.#go(army, target);
  }

  /** Does what was to be done as soon as all moves are known. */
  arrived(): void {
    const { of, more } = this.#now();
    if (more) return;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting?.of === of) this.drop(waiting.path);
  }

  /** Does what coordinates say: one node is gone to, more are a move. Returns false when they name no nodes. */
  find(text: string): boolean {
    const { graph, offer } = this.#now();
    const named = nodesIn(graph, text);
    const [first, ...others] = named?.nodes ?? [];
    if (named === undefined || first === undefined) return false;
    if (others.length === 0) {
      this.#outcomes.focus(first);
      return true;
    }
    const target = others.at(-1) ?? first;
    const steps = named.steps ?? (others.length > 1 ? others.length : undefined);
    const option = offer.moves
      .get(first)
      ?.get(target)
      ?.find((each) => steps === undefined || each.steps === steps);
    if (option === undefined) {
      this.#outcomes.build(first, target, steps ?? Math.min(MAX_STEPS, distance(graph, first, target)), []);
    } else if (steps === undefined) {
      this.pick(first);
      this.#go(first, target);
    } else this.#play(first, option, target, others.length > 1 ? named.nodes : undefined);
    return true;
  }

  #play(army: number, option: Option, target: number, given?: readonly number[]): void {
    const path = given ?? wayOf(this.#now().ground, army, target, option.steps);
    this.cancel();
    this.hovered = undefined;
    if (path === undefined || option.steps === 1) this.#outcomes.choose(option.choice);
    else this.#outcomes.build(army, target, option.steps, path);
  }

  #go(army: number, target: number): void {
    const { of, offer } = this.#now();
    const reach = offer.moves.get(army)?.get(target) ?? [];
    const [fewest] = reach;
    if (fewest === undefined) return;
    if (reach.length === 1 || this.target === target) this.#play(army, fewest, target);
    else this.#touched = { of, source: army, target };
  }

  /** Asks the server for a move that it has not offered: its refusal says by which rule. */
  #ask(army: number, target: number): void {
    const { acts, more, graph } = this.#now();
    if (!acts || more) return;
    this.#outcomes.build(army, target, Math.min(MAX_STEPS, Math.max(1, distance(graph, army, target))), []);
  }

  /** Goes on with a way that is drawn node by node; returns whether the touch belongs to it. */
  #draw(army: number, node: number): boolean {
    const { drawing } = this;
    const last = drawing.at(-1) ?? army;
    const index = drawing.indexOf(node);
    if (node === last && drawing.length > 1) this.drawn();
    else if (index > 0) this.#touched = { ...this.#picked, path: drawing.slice(0, index + 1) };
    else if (index < 0 && joined(this.#now().graph, last).includes(node))
      this.#touched = { ...this.#picked, path: [...drawing, node] };
    else return false;
    return true;
  }
}
