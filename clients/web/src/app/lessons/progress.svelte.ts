/** Which lessons the player has finished, kept in this browser. */
import { browserStorage, readJson, writeJson } from "../../api/storage";
import { isRecord } from "../settings_file";

const KEY = "brettwerk.lessons";
const [MAX_GAMES, MAX_LESSONS, MAX_ID] = [100, 100, 32];

const storage = browserStorage("localStorage");

/** Returns what `value` holds: names of lessons by game. */
export function readFinished(value: unknown): Readonly<Record<string, readonly string[]>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value)
      .filter(([game, lessons]) => game.length <= MAX_ID && Array.isArray(lessons))
      .slice(0, MAX_GAMES)
      .map(([game, lessons]) => [
        game,
        (lessons as readonly unknown[])
          .filter((each): each is string => typeof each === "string" && each.length <= MAX_ID)
          .slice(0, MAX_LESSONS),
      ]),
  );
}

class Progress {
  #finished = $state.raw(readFinished(readJson(storage, KEY)));

  /** Returns the finished lessons of a game. */
  of(game: string): readonly string[] {
    return this.#finished[game] ?? [];
  }

  /** Notes that a lesson is finished. */
  finish(game: string, lesson: string): void {
    const before = this.of(game);
    if (before.includes(lesson)) return;
    this.#finished = { ...this.#finished, [game]: [...before, lesson] };
    writeJson(storage, KEY, this.#finished);
  }
}

export const progress = new Progress();
