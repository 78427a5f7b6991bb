/** Computers' names: that of their level and, so that nobody needs to guess, how strong the level is. */
import { games } from "../games.svelte";
import { t } from "../text/text.svelte";

/** Returns how strong a level is, in words. */
function strengthOf(game: string, level: string, depth = 0): string {
  const label = games.words(game, games.get(game)?.levels.find(({ id }) => id === level)?.label) || level;
  return depth > 0 ? `${label} ${String(depth)}` : label;
}

/** Returns the name of a computer alone: of its level, or `called` where the player has a name for it. */
export function computerCalled(game: string, level: string, called = ""): string {
  return called || (games.computerName(game, level) ?? t("seat.computer"));
}

/** Returns the name of a computer with its strength: of the level, or `called` where the player has a name for it. */
export function computerName(game: string, level: string, depth = 0, called = ""): string {
  const strength = strengthOf(game, level, depth);
  const name = called || games.computerName(game, level);
  return name === undefined ? `${t("seat.computer")} · ${strength}` : `${name} – ${strength}`;
}

/** Returns what a level is like, in a sentence; its description where it has no character. */
export function characterOf(game: string, level: string): string {
  const described = games.get(game)?.levels.find(({ id }) => id === level)?.description;
  return games.sentence(game, `level.${level}.character`) ?? games.words(game, described);
}
