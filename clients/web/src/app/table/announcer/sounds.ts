/** The sounds of a ply, of the turn, of the end, and their times; those that come too fast are left out. */
import type { Outcome } from "@brettwerk/client/v1/games";
import type { Narration } from "../../../boards/board";
import type { Sound } from "../../sound";
import { winnersOf } from "../result/outcome";

/** Returns what is heard of a ply: what its game says, or whether something fell by it or was only moved; and dice where some were rolled. */
export function soundsOfPly(narration: Pick<Narration, "captures" | "heard" | "rolls" | "roll"> | undefined): Sound[] {
  const rolls = narration?.rolls === true || (narration?.roll ?? "") !== "";
  return [
    narration?.heard ?? (narration?.captures === true ? "capture" : "move"),
    ...(rolls ? (["die"] as const) : []),
  ];
}

/** Returns what is heard of an end: whoever has no seat of their own hears that somebody has won. */
export function soundOfEnd(outcome: Outcome | undefined, own: readonly number[]): Sound {
  const winners = outcome === undefined ? [] : winnersOf(outcome);
  if (winners.length === 0) return "draw";
  return own.length === 0 || own.some((seat) => winners.includes(seat)) ? "win" : "loss";
}

/** The sounds of plies; all other sounds tell the player something and are rare. */
const OF_PLIES: ReadonlySet<Sound> = new Set([
  "move",
  "capture",
  "march",
  "battle",
  "conquest",
  "card",
  "shot",
  "blast",
  "die",
]);
/** Plies that can be heard in a row, after how long (in ms) there is one more, and the least time between two. */
const [IN_A_ROW, ONE_MORE_MS, APART_MS] = [4, 900, 150];
/** For how long (in ms) nothing is heard of plies after an end, and the same sound not again. */
const [AFTER_END_MS, AGAIN_MS] = [1500, 1000];

/** Leaves out what would become a noise: computers play faster than anybody can hear. */
export class Hearing {
  #left = IN_A_ROW;
  #at = -Infinity;
  #ended = -Infinity;
  readonly #last = new Map<Sound, number>();

  /** Returns what of the sounds of one moment, in milliseconds, is to be heard; nobody plays faster than they can hear themselves. */
  hear(sounds: readonly Sound[], now: number, own = false): readonly Sound[] {
    const heard = sounds.every((sound) => OF_PLIES.has(sound))
      ? this.#hearsPly(now, own)
        ? sounds
        : []
      : sounds.filter((sound) => now - (this.#last.get(sound) ?? -Infinity) >= AGAIN_MS);
    for (const sound of heard) {
      this.#last.set(sound, now);
      if (sound === "win" || sound === "loss" || sound === "draw") this.#ended = now;
    }
    return heard;
  }

  #hearsPly(now: number, own: boolean): boolean {
    const since = now - this.#at;
    if (since < APART_MS || now - this.#ended < AFTER_END_MS) return false;
    this.#left = Math.min(IN_A_ROW, this.#left + (since === Infinity ? 0 : since / ONE_MORE_MS));
    // Time goes on counting from here.
    this.#at = now;
    if (own) return true;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
