/** Challenges in words. */
import { personName } from "../bots/bot_name";
import type { Challenge } from "@brettwerk/client/v1/opponents";
import { games } from "../games.svelte";
import { clockText } from "../table/clock/clock";
import { say } from "./words";

/** Returns what is to be played: the game, the clock, and whether it counts. */
export function gameText({ game, clock, competitive }: Pick<Challenge, "game" | "clock" | "competitive">): string {
  const parts = [games.nameOf(game), clockText(clock) || say("find.no-clock"), say(competitive ? "counts" : "casual")];
  return parts.join(" · ");
}

/** Returns the name of a player. */
export function nameOf(player: Challenge["challenger"]): string {
  return player?.name ? personName(player) : say("challenge.somebody");
}
