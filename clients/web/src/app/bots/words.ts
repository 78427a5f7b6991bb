/** The words of bots and API tokens. */
import { Scope } from "@brettwerk/client/v1/bots";
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export const say = speaker("bots", en);

/** The scopes that there are, in the order in which they are offered. */
export const SCOPES = [
  Scope.PLAY,
  Scope.CHALLENGES_READ,
  Scope.CHALLENGES_WRITE,
  Scope.GAMES_READ,
  Scope.ACCOUNT_READ,
  Scope.TOURNAMENTS,
  Scope.CLUBS,
  Scope.BOTS,
] as const;

/** Returns what a scope lets a token do; nothing for one that this page does not know. */
export const scopeText = (scope: Scope): string => (scope === Scope.UNSPECIFIED ? "" : say(`scope.${scope}`));
