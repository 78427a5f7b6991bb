/** Who sits at a seat of a listed table, in words. */
import type { Seat } from "../../api/generated/brettwerk/v1/sessions_pb";
import { games } from "../games.svelte";
import { t } from "../text/text.svelte";

/** Returns a person's name, a computer with its level where that has words, or that nobody sits there. */
export function sitterName(game: string, { occupant, keptFor }: Seat): string {
  const kind = occupant?.kind;
  if (kind?.case === "person") return kind.value.name;
  if (kind?.case === "computer") {
    const level = games.get(game)?.levels.find(({ id }) => id === kind.value.level);
    const words = games.speaks(game) ? games.words(game, level?.label) : "";
    return words === "" ? t("seat.computer") : `${t("seat.computer")} · ${words}`;
  }
  return keptFor === "" ? t("seat.open") : t("seat.kept");
}
