/**
 * Links by which a player comes back: one that another device uses within minutes, and one that lasts, for a browser that keeps
 * nothing. The latter holds the recovery phrase and the page that it leads to, in the part of an address that no server gets.
 */
import type { RequestOf } from "@brettwerk/client/wire";

export interface WayBack {
  readonly proof: NonNullable<RequestOf<"signIn">["proof"]>;
  /** The page that it leads to; empty for none. */
  readonly path: string;
}

const LASTING = /^([a-z]+(?:\.[a-z]+)+)(\/s\/[\w-]+)?$/;

/** Returns the link that lasts as long as the phrase, to a page of this server. */
export function lastingLink(origin: string, phrase: string, path: string): string {
  return `${origin}/link#${phrase.replaceAll(" ", ".")}${path}`;
}

/** Returns what is in a link, by what follows its #. */
export function wayBackIn(fragment: string): WayBack {
  const [, words, path = ""] = LASTING.exec(fragment) ?? [];
  if (words === undefined) return { proof: { case: "link", value: fragment }, path: "" };
  return { proof: { case: "phrase", value: words.replaceAll(".", " ") }, path };
}
