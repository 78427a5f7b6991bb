/** The covers of the games: files of their folders that `npm run covers` draws from their `Cover.svelte`, by day and by night. */

import type { SetName } from "./sets";

const files = import.meta.glob<string>(["./*/cover.*.svg", "./*/cabinet/cover.*.svg"], {
  query: "?url",
  import: "default",
  eager: true,
});

/** The addresses of a cover. */
export interface Cover {
  readonly light: string;
  readonly dark: string;
}

/** Returns the cover of a game as a set draws it, or as its board does; undefined when it has none. */
export function coverOf(game: string, set: SetName): Cover | undefined {
  const [light, dark] = ["light", "dark"].map(
    (hour) => files[`./${game}/${set}/cover.${hour}.svg`] ?? files[`./${game}/cover.${hour}.svg`],
  );
  return light === undefined || dark === undefined ? undefined : { light, dark };
}
