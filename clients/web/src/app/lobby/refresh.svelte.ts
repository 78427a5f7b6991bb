// Lists that keep themselves fresh while they are looked at.

import { connection } from "../server.svelte";

const FRESH_MS = 5000;

/** Loads now and every few seconds, in a component's setup: while the page is seen and the server can be asked. */
export function keepFresh(load: () => Promise<void>): void {
  $effect(() => {
    if (connection.state !== "open") return;
    const refresh = (): void => {
      if (document.visibilityState === "visible" && connection.state === "open") void load();
    };
    refresh();
    const timer = setInterval(refresh, FRESH_MS);
    return () => clearInterval(timer);
  });
}
