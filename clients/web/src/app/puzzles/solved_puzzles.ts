/** This browser's memory of solved puzzles, for those who are no player yet; the server remembers them for all others. */
import { readJson, writeJson, type Storage } from "../../api/storage";

const KEY = "brettwerk.puzzles";
const MAX = 100;

/** Returns the solved puzzles, each as its game and its day. */
export function remembered(storage: Storage): readonly string[] {
  const value = readJson(storage, KEY);
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string").slice(-MAX) : [];
}

/** Returns whether the puzzle of a game and a day was solved in this browser. */
export function isRemembered(storage: Storage, game: string, day: string): boolean {
  return remembered(storage).includes(`${game} ${day}`);
}

/** Remembers that a puzzle was solved. */
export function remember(storage: Storage, game: string, day: string): void {
  const others = remembered(storage).filter((each) => each !== `${game} ${day}`);
  writeJson(storage, KEY, [...others, `${game} ${day}`].slice(-MAX));
}
