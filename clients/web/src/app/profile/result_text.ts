/** The result of a finished game, in words. */
import { GameResult } from "@brettwerk/client/v1/profiles";
import type { ProfileKey } from "./words";

const KEYS: Readonly<Partial<Record<GameResult, ProfileKey>>> = {
  [GameResult.WON]: "result.won",
  [GameResult.LOST]: "result.lost",
  [GameResult.DRAWN]: "result.drawn",
  [GameResult.ABANDONED]: "result.abandoned",
  [GameResult.UNFINISHED]: "result.unfinished",
};

/** Returns the key of the words for a result; of one that a newer server tells, those for none. */
export function resultKey(result: GameResult): ProfileKey {
  return KEYS[result] ?? "result.unfinished";
}
