/** The events, as the board that knows no game says them. */
import type { Narration } from "@brettwerk/client/v1/games";

/** Something that has happened. */
export interface StoryLine {
  readonly key: string;
  /** The seat that did it; undefined when no seat did. */
  readonly seat: number | undefined;
  readonly text: string;
  readonly narrations: readonly Narration[];
}
