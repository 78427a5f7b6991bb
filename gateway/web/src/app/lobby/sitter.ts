/** Who sits at a seat of a listed table, in words. */
import type { Seat } from "@brettwerk/client/v1/sessions";
import { personName } from "../bots/bot_name";
import { computerName } from "../computers/computer_name";
import { games } from "../games.svelte";
import { t } from "../text/text.svelte";

/** Returns a person's name, a computer's where its game has words, or that nobody sits there. */
export function sitterName(game: string, { occupant, keptFor }: Seat): string {
  const kind = occupant?.kind;
  if (kind?.case === "person") return personName(kind.value);
  if (kind?.case === "computer") {
    const { level, depth } = kind.value;
    return games.speaks(game) ? computerName(game, level, depth) : t("seat.computer");
  }
  return keptFor === "" ? t("seat.open") : t("seat.kept");
}
