/** How bots are shown: whoever has a bot's id is one, in old games, too. */
import type { Person } from "@brettwerk/client/v1/record";

/** Returns whether an id is a bot's. */
export const isBot = (playerId: string): boolean => playerId.startsWith("bot-");

/** Returns what a person at a table is called; a bot says that it is one ("bot" is the same word in German). */
export const personName = ({ playerId, name }: Pick<Person, "playerId" | "name">): string =>
  isBot(playerId) ? `${name} (Bot)` : name;
