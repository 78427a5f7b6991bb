/** The words for figures' kinds and bars: seats, levels and continents by the game's own names. */
import { games } from "../games.svelte";
import { find, t } from "../text/text.svelte";
import type { Words } from "./figures";

/** Returns the words for figures of a game. */
export function wordsOf(game: string): Words {
  const sentence = (key: string): string | undefined => games.sentence(game, key) ?? find(key);
  return {
    title: (kind) => sentence(`statistics.${kind}`),
    label: (kind, key) => {
      switch (kind) {
        case "seat":
          return games.seatName(game, Number(key));
        case "level":
        case "against":
          return levelName(game, key);
        case "length":
          return sentence("statistics.length.from")?.replace("{least}", key) ?? key;
        case "end":
          return sentence(`statistics.end.${key}`) ?? (key === "" ? t("statistics.end.none") : key);
        default:
          return sentence(`${kind}.${key}`) ?? key;
      }
    },
  };
}

/** Returns the name of a level, or of persons. */
export function levelName(game: string, level: string): string {
  if (level === "person") return t("statistics.person");
  return games.words(game, games.get(game)?.levels.find(({ id }) => id === level)?.label) || level;
}
