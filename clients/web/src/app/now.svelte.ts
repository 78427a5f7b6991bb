/** The server's time for what is shown: whatever reads it in an effect or a template follows it. */
import { server } from "./server.svelte";

const TICK_MS = 10_000;

let ms = $state(server.time.now);
const read = (): void => void (ms = server.time.now);
setInterval(read, TICK_MS);
server.time.onCorrected = read;

/** Returns the server's time in milliseconds since 1970; read anew every 10 seconds, and when it turns out to be another. */
export function now(): number {
  return ms;
}
