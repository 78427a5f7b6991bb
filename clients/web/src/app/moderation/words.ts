/** The words of the moderators. They come with it, since only moderators see it. */
import type { ModerationAct, ReportKind } from "@brettwerk/client/v1/moderation";
import { speaker } from "../text/text.svelte";
import en from "./en.json";

type ModerationKey = keyof typeof en;

/** Returns the sentence of a key. */
export const say = speaker("moderation", en);

function isKey(key: string): key is ModerationKey {
  return Object.hasOwn(en, key);
}

/** Returns what an act is called. */
export function actText(act: ModerationAct): string {
  const key = `act.${act}`;
  return say(isKey(key) ? key : "act.0");
}

/** Returns what a report is about. */
export function kindText(kind: ReportKind): string {
  const key = `kind.${kind}`;
  return say(isKey(key) ? key : "kind.0");
}

/** Returns who acts where no player does, or undefined for an id of a player. */
export function actorText(id: string): string | undefined {
  const key = `by.${id}`;
  return isKey(key) ? say(key) : undefined;
}
