/** The server's time for what is shown: whoever reads it in an effect or a template is told when it has moved on. */
import { createSubscriber } from "svelte/reactivity";
import { server } from "./server.svelte";

const TICK_MS = 10_000;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, TICK_MS);
  const end = server.time.onCorrected(update);
  return () => {
    clearInterval(timer);
    end();
  };
});

/** Returns the server's time in milliseconds since 1970; read anew every 10 seconds, and when it turns out to be another. */
export function now(): number {
  subscribe();
  return server.time.now;
}
