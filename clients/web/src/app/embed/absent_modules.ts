/**
 * In place of the two modules that Svelte needs to write components which await something (vite.embed.config.ts): no board does, and
 * they are a fourth of the page's script.
 */

/** Stands for `devalue`. Raises an Error. */
export function uneval(): never {
  throw new Error("a board awaits nothing");
}

/** Stands for that of `node:async_hooks`. */
export const AsyncLocalStorage = undefined;
