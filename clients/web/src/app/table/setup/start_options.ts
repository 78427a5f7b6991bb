/** Facts for those who settle a game: which options are whose, and what a beginning is called. */
import type { Any } from "@bufbuild/protobuf/wkt";
import type { Game, OptionSpec, Text } from "@brettwerk/client/v1/games";
import { chosenOptions } from "../../../api/options";
import type { Key } from "../../text/text.svelte";

/** Returns the options that concern all. */
export function commonOptions(game: Game): OptionSpec[] {
  return chosenOptions(game).filter((spec) => spec.ownerSeat === undefined);
}

/** Returns the options that belong to one of these seats, so that their person chooses them alone. */
export function ownOptions(game: Game, seats: readonly number[]): OptionSpec[] {
  return game.options.filter(({ ownerSeat }) => ownerSeat !== undefined && seats.includes(ownerSeat));
}

/** Returns whether two start positions are the same bytes. */
export function sameStart(one: Any | undefined, other: Any | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.value.length === other.value.length && one.value.every((byte, index) => byte === other.value[index]);
}

/** Returns what a start position is called: the usual beginning, a prepared board, or somebody's own. */
export function startName(
  game: Game,
  start: Any | undefined,
  words: (text: Text | undefined) => string,
  t: (key: Key) => string,
): string {
  if (start === undefined) return t("start.usual");
  const preset = game.presets.find((each) => each.startPosition !== undefined && sameStart(each.startPosition, start));
  return (preset && words(preset.label)) || t("editor.own");
}
