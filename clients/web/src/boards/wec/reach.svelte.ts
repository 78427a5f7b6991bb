/** Where pieces could go and what they could hit if their side were to act, as the server works it out from what is shown. */
import type { Reach } from "@brettwerk/client/v1/games";
import type { WecView } from "@brettwerk/client/v1/wec";
import { levelOf, squareOf } from "./squares";
import type { Stack } from "./stacks";

/** The levels of a square that could be gone to, and those that could be hit. */
export interface Reached {
  readonly goes: readonly number[];
  readonly hits: readonly number[];
}

/** How long the pointer rests on a square before the server is asked, in milliseconds. */
const REST_MS = 120;
const NOTHING: ReadonlyMap<number, Reached> = new Map();

/** Returns by square what some pieces reach. */
export function reachOf(reaches: readonly Reach[], pieces: ReadonlySet<number>): ReadonlyMap<number, Reached> {
  const found = new Map<number, { goes: number[]; hits: number[] }>();
  const add = (place: number, what: "goes" | "hits"): void => {
    const at = found.get(squareOf(place)) ?? { goes: [], hits: [] };
    if (!at[what].includes(levelOf(place))) at[what].push(levelOf(place));
    found.set(squareOf(place), at);
  };
  for (const { piece, goes, hits } of reaches) {
    if (!pieces.has(piece)) continue;
    for (const place of goes) add(place, "goes");
    for (const place of hits) add(place, "hits");
  }
  return found;
}

/** The state for the board's questions: the view, its stacks, whether a piece is chosen, and how the server is asked. */
interface Query {
  readonly view: WecView;
  readonly stacks: readonly Stack[];
  readonly idle: boolean;
  readonly ask: (() => Promise<readonly Reach[]>) | undefined;
}

/** The square looked at: the one under the pointer, or one that was asked about. To be made where a component begins. */
export class Reaching {
  /** The square under the pointer. */
  pointed = $state<number | undefined>();
  /** The square that was asked about by touch or by key. */
  #kept = $state<number | undefined>();
  #answer = $state.raw<{ view?: WecView; list: readonly Reach[] }>({ list: [] });
  readonly #asked: () => Query;

  constructor(asked: () => Query) {
    this.#asked = asked;
    let ply = 0;
    $effect(() => {
      // A question about a square ends with its Turn.
      if (asked().view.ply !== ply) this.#kept = undefined;
      ply = asked().view.ply;
    });
    $effect(() => {
      const { view, ask } = asked();
      if (this.square === undefined || ask === undefined || this.#answer.view === view) return;
      let wanted = true;
      const timer = setTimeout(() => {
        void ask().then((list) => {
          if (wanted) this.#answer = { view, list };
        });
      }, REST_MS);
      return () => {
        wanted = false;
        clearTimeout(timer);
      };
    });
  }

  /** The square whose pieces are looked at; none while a piece is chosen to act. */
  readonly square = $derived.by(() => {
    const { idle, stacks } = this.#asked();
    if (!idle) return undefined;
    const peopled = (square: number | undefined): boolean => (stacks[square ?? -1]?.pieces.length ?? 0) > 0;
    return [this.pointed, this.#kept].find(peopled);
  });

  /** The square that was asked about. */
  get kept(): number | undefined {
    return this.square === this.#kept ? this.#kept : undefined;
  }

  /** The contents of the square that was asked about. */
  get asked(): Stack | undefined {
    return this.kept === undefined ? undefined : this.#asked().stacks[this.kept];
  }

  /** The reach of the pieces on the square; nothing before the answer. */
  readonly found = $derived.by(() => {
    const { view, stacks } = this.#asked();
    const pieces = stacks[this.square ?? -1]?.pieces ?? [];
    if (pieces.length === 0 || this.#answer.view !== view) return NOTHING;
    return reachOf(this.#answer.list, new Set(pieces.map(({ id }) => id)));
  });

  /** Asks about a square, or about none. */
  keep(square: number | undefined): void {
    this.#kept = square;
  }

  /** Asks about a square; asked again, about none. */
  toggle(square: number): void {
    this.#kept = this.#kept === square ? undefined : square;
  }
}
