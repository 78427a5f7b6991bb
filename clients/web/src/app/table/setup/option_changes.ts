/** Which options can be changed while a game is on and by whom, and what a proposal of others would change, in words. */
import { OptionSpec_Changeable, type Game, type OptionSpec, type Text } from "@brettwerk/client/v1/games";
import type { OptionValue, OptionValues } from "../../../api/options";
import type { Table } from "../state/table.svelte";

/** Returns the options that can be changed at any time. */
export function changeable(game: Game | undefined): OptionSpec[] {
  return game?.options.filter((spec) => spec.changeable === OptionSpec_Changeable.ALWAYS) ?? [];
}

/**
 * Returns whether the player may ask for other options: at their seat, where they have not asked already, or, as who only watches
 * computers, when the table is their own; the server knows that.
 */
export function askable(table: Table): boolean {
  const { session, perspective } = table;
  if (!table.running || session === undefined || session.competitive) return false;
  if (perspective?.seat === undefined) return session.seats.every(({ occupant }) => occupant?.kind.case === "computer");
  return !session.proposals.some((proposal) => proposal.kind.case === "options" && proposal.seat === perspective.seat);
}

/** Says a text of the game, and the client's words for on and off. */
interface OptionWords {
  readonly words: (text: Text | undefined) => string;
  readonly on: string;
  readonly off: string;
}

/** Returns "Name: new value" for every option that would change, in the order of the form. */
export function optionChanges(game: Game, before: OptionValues, after: OptionValues, say: OptionWords): string[] {
  return game.options
    .filter(({ key }) => String(before[key]) !== String(after[key]))
    .map((spec) => `${say.words(spec.label)}: ${valueText(spec, after[spec.key], say)}`);
}

function valueText(spec: OptionSpec, value: OptionValue | undefined, say: OptionWords): string {
  if (spec.values.case === "switch") return value === true ? say.on : say.off;
  if (spec.values.case === "choice") {
    const choice = spec.values.value.choices.find((each) => each.number === Number(value));
    return say.words(choice?.label) || String(value);
  }
  return Array.isArray(value) ? value.join(", ") : String(value);
}
