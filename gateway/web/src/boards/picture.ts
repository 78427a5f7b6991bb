/** The picture of a game in the lobby: a strip of 900 by 150 that a game's folder may have as `Picture.svelte`. */
import type { Component } from "svelte";

const pictures = import.meta.glob<{ default: Component }>("./*/Picture.svelte");

/** Returns the picture of a game, or undefined when it has none. */
export async function loadPicture(game: string): Promise<Component | undefined> {
  const load = pictures[`./${game}/Picture.svelte`];
  return load === undefined ? undefined : (await load()).default;
}
