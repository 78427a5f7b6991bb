/** The covers of the games: files of their folders that `npm run covers` draws from their `Cover.svelte`, by day and by night. */

const files = import.meta.glob<string>("./*/cover.*.svg", { query: "?url", import: "default", eager: true });

/** The addresses of a cover. */
export interface Cover {
  readonly light: string;
  readonly dark: string;
}

/** Returns the cover of a game, or undefined when it has none. */
export function coverOf(game: string): Cover | undefined {
  const [light, dark] = [files[`./${game}/cover.light.svg`], files[`./${game}/cover.dark.svg`]];
  return light === undefined || dark === undefined ? undefined : { light, dark };
}
