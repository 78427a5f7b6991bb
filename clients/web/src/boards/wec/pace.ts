/** How long what computers do is shown, so that people can follow it (WEC-UI-16). */
import type { WecEvent } from "@brettwerk/client/v1/wec";
import type { Happened, Stage } from "../board";
import { MOTIONS } from "./motion";
import { readPreferences } from "./preferences";

/** An action is seen to be done, and then stands for so long, in seconds. */
const ACTION_S = 0.35;
/** The end of a Turn. */
const TURN_S = 0.3;
/** For so long more for everything that came of it, up to a bound. */
const RESULT_S = 0.4;
const MAX_RESULTS = 4;

/** Returns the stages in which an update is shown: only what computers do takes time, and none where nothing is to move. */
export function pace({ seat, events, seats, kept }: Happened): readonly Stage[] {
  const { glide, pause } = MOTIONS[readPreferences(kept ?? {}).motion];
  if (seat === undefined || seats[seat]?.computer !== true || pause === 0) return [];
  const kinds = (events as readonly WecEvent[]).map(({ kind }) => kind.case);
  const results = Math.min(MAX_RESULTS, kinds.filter((kind) => kind === "happened").length);
  const stands = (kinds.includes("written") ? TURN_S : ACTION_S) + results * RESULT_S;
  return [{ name: "shown", seconds: glide / 1000 + stands * pause }];
}
