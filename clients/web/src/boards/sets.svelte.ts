/**
 * The sets of boards and pieces: how games are drawn, as families that belong together.
 *
 * The first set is what the boards draw by themselves. Another one is a `dress` in a game's folder of the set's name: what is drawn
 * instead, loaded only where the set is chosen. Boards ask what they wear; who shows a board says which set that is (`Worn.svelte`).
 */
import { getContext, setContext } from "svelte";
import type { SetName } from "./sets";

const dresses = import.meta.glob<{ dress: unknown }>("./*/cabinet/skin.ts");
const WORN = Symbol("worn");

/** What has been loaded, by where it is: even what is there already comes a moment later when it is imported again. */
const loaded = new Map<string, unknown>();
const pathOf = (game: string, set: SetName): string => `./${game}/${set}/skin.ts`;

/** Loads what a game's board is dressed in, unless it draws everything by itself; once it is there, boards wear it at once. */
export async function loadDress(game: string, set: SetName): Promise<void> {
  const path = pathOf(game, set);
  try {
    loaded.set(path, (await dresses[path]?.())?.dress);
  } catch {
    // Without a network there is still the first set.
  }
}

/** What the boards below a place of the page wear. */
export class Wearing {
  /** What is drawn instead of what boards draw by themselves; undefined for that. */
  dress = $state.raw<unknown>();
  /** Whether boards can be shown: what they wear at first is there, or does not come. */
  ready = $state(false);

  /** Puts a set on; what was worn stays until it is there. */
  async wear(game: string, set: SetName, isWanted: () => boolean): Promise<void> {
    const path = pathOf(game, set);
    if (!loaded.has(path)) await loadDress(game, set);
    if (isWanted()) [this.dress, this.ready] = [loaded.get(path), true];
  }
}

/** Says what the boards below a component wear; to be called when it is made. */
export function letWear(wearing: Wearing): void {
  setContext(WORN, wearing);
}

/** What a board wears now. */
export interface Worn<Dress> {
  /** What is drawn instead of what the board draws by itself; undefined for that. */
  readonly dress: Dress | undefined;
}

/** Returns what a board wears as `dress`, undefined for what it draws by itself; to be called when a component is made. */
export function worn<Dress>(): Worn<Dress> {
  const wearing = getContext<Wearing | undefined>(WORN);
  return {
    get dress() {
      return wearing?.dress as Dress | undefined;
    },
  };
}
