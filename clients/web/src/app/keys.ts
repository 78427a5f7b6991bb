/** Keys that do something wherever the focus is: those of Lichess, so that nobody has to learn new ones. */

export type Command = "back" | "on" | "first" | "last" | "flip" | "zen" | "hint" | "sound" | "help" | "escape";

/** Which keys mean which command; the list that players are shown is made of it. */
export const KEYS: Readonly<Record<Command, readonly string[]>> = {
  back: ["ArrowLeft", "k"],
  on: ["ArrowRight", "j"],
  first: ["Home", "0"],
  last: ["End", "$"],
  flip: ["f"],
  zen: ["z"],
  hint: ["h"],
  sound: ["s"],
  help: ["?"],
  escape: ["Escape"],
};

/** Where the focus is: in a field that takes letters, in a grid that takes arrow keys, or elsewhere. */
export type Place = "field" | "grid" | "page";

/** A key as the browser tells it. */
interface Stroke {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

const OF_GRIDS = /^(?:Arrow|Home$|End$)/;

/** Returns what a key means in a place, or undefined. */
export function commandOf(stroke: Stroke, place: Place): Command | undefined {
  if (stroke.ctrlKey || stroke.metaKey || stroke.altKey || place === "field") return undefined;
  if (place === "grid" && OF_GRIDS.test(stroke.key)) return undefined;
  const { key } = stroke;
  return (Object.keys(KEYS) as Command[]).find((command) => KEYS[command].includes(key));
}

/** Returns the place of an element. */
export function placeOf(target: EventTarget | null): Place {
  if (!(target instanceof Element)) return "page";
  if (target.closest("input, select, textarea, dialog, [contenteditable]") !== null) return "field";
  return target.closest("[role=grid]") === null ? "page" : "grid";
}

const CHOOSES_NOTHING = /^(?:Tab|Shift|Control|Alt|AltGraph|Meta|CapsLock|Escape)$/;

/** Returns whether a key is one that a player chooses with on a board, however little: not one that only leads elsewhere. */
export function choosesOnBoard(stroke: Stroke, place: Place): boolean {
  if (stroke.ctrlKey || stroke.metaKey || stroke.altKey || place !== "grid") return false;
  return !CHOOSES_NOTHING.test(stroke.key) && commandOf(stroke, place) === undefined;
}
