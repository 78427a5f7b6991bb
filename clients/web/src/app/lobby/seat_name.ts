/** The sitter at a seat of a listed table, in words. */
import type { Seat } from "@brettwerk/client/v1/sessions";
import { personName } from "../bots/bot_name";
import { computerCalled } from "../computers/computer_name";
import { t } from "../text/text.svelte";

/** Returns a person's or a computer's name, or that nobody sits there, also where a computer plays until somebody does. */
export function sitterName(game: string, { occupant, keptFor, offer }: Seat): string {
  if (offer !== undefined) return t("seat.open");
  const kind = occupant?.kind;
  if (kind?.case === "person") return personName(kind.value);
  if (kind?.case === "computer") {
    return computerCalled(game, kind.value.level);
  }
  return keptFor === "" ? t("seat.open") : t("seat.kept");
}
