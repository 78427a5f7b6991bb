/**
 * The lessons of a game: small positions in which a newcomer learns a rule by playing it. A game that has them keeps them in its
 * folder as `lessons.json`; they are fetched when somebody learns, so that nobody else pays for them (docs/lessons.md).
 */
import type { Words } from "./tour";

/** The pattern of a value (docs/lessons.md): a value itself, fields of a message, or a condition that begins with "$". */
export type Pattern = boolean | number | string | { readonly [key: string]: Pattern };

/** Something that is to happen (an event), or to be so (the view). */
export type Aim = { readonly event: Pattern } | { readonly view: Pattern };

/** A legal way to miss the goal that is worth words of its own. */
interface Slip {
  readonly when: readonly Aim[];
  readonly says: Words;
}

export interface Lesson {
  /** Its name in addresses and in what is kept. */
  readonly id: string;
  readonly title: Words;
  /** The heading of the part of the course that begins with it. */
  readonly chapter?: Words;
  /** The ids of the rules that it teaches; the first one is what it is about. */
  readonly rules: readonly string[];
  /** The instruction to the player. */
  readonly task: Words;
  /** Why it was right. */
  readonly done: Words;
  /** The words for a player who did something else. */
  readonly other: Words;
  readonly slips?: readonly Slip[];
  /** The game's options as JSON; absent for the usual ones. */
  readonly options?: object;
  /** The start position as JSON. */
  readonly start: object;
  /** The aims to come about; all of them. */
  readonly goal: readonly Aim[];
  /** How many actions of the player there are to reach it; absent for any number. */
  readonly actions?: number;
  /** Actions in notation that reach it, played by tests. */
  readonly solution: readonly string[];
}

export interface Course {
  /** The player's seat; computers have the others. */
  readonly seat: number;
  readonly seats: number;
  readonly lessons: readonly Lesson[];
}

const courses = import.meta.glob<{ default: Course }>("./*/lessons.json");

/** Returns whether a game has lessons. */
export function hasLessons(game: string): boolean {
  return `./${game}/lessons.json` in courses;
}

/** Returns the lessons of a game, or undefined when it has none. */
export async function loadLessons(game: string): Promise<Course | undefined> {
  return (await courses[`./${game}/lessons.json`]?.())?.default;
}
