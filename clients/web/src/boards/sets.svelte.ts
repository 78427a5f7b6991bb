/**
 * The sets of boards and pieces: how games are drawn, as families that belong together.
 *
 * The first set is what the boards draw by themselves. Another one is a `skin` in a game's folder of the set's name: what is drawn
 * instead, loaded only where the set is chosen. Boards ask for their skin (`active_skin.ts`); the page that shows a board names the set (`SkinScope.svelte`).
 */
import type { SetName } from "./sets";

const skins = import.meta.glob<{ skin: unknown }>("./*/cabinet/skin.ts");

/** The skins loaded so far, by their paths: even one that is there already comes a moment later when it is imported again. */
const loaded = new Map<string, unknown>();
const pathOf = (game: string, set: SetName): string => `./${game}/${set}/skin.ts`;

/** Loads a game's skin of a set, unless the board draws everything by itself; once it is there, boards have it at once. */
export async function loadSkin(game: string, set: SetName): Promise<void> {
  const path = pathOf(game, set);
  try {
    loaded.set(path, (await skins[path]?.())?.skin);
  } catch {
    // Without a network there is still the first set.
  }
}

/** The skin of the boards below a place of the page. */
export class SkinState {
  /** The skin drawn in place of the boards' own drawing; undefined for that. */
  skin = $state.raw<unknown>();
  /** Whether boards can be shown: their first skin is there, or does not come. */
  ready = $state(false);

  /** Takes the skin of a set; the one before stays until it is there. */
  async load(game: string, set: SetName, isWanted: () => boolean): Promise<void> {
    const path = pathOf(game, set);
    if (!loaded.has(path)) await loadSkin(game, set);
    if (isWanted()) [this.skin, this.ready] = [loaded.get(path), true];
  }
}
