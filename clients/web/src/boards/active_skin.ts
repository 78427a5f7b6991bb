/** The skin that boards draw with, given by what is above them on the page; boards that are only looked at load no more than this. */
import { getContext, setContext } from "svelte";
import type { SkinState } from "./sets.svelte";

const SKIN = Symbol("skin");

/** Gives the boards below a component their skin; to be called when the component is made. */
export function provideSkin(state: SkinState): void {
  setContext(SKIN, state);
}

/** The skin that a board draws with now. */
interface ActiveSkin<Skin> {
  /** The skin drawn in place of the board's own drawing; undefined for that. */
  readonly skin: Skin | undefined;
}

/** Returns a board's `skin`, undefined for what it draws by itself; to be called when a component is made. */
export function activeSkin<Skin>(): ActiveSkin<Skin> {
  const state = getContext<SkinState | undefined>(SKIN);
  return {
    get skin() {
      return state?.skin as Skin | undefined;
    },
  };
}
