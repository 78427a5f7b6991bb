/** Keeps the screen on: nobody touches a television. */
import { on } from "svelte/events";

/** Keeps the screen on while the page is seen. Returns how to end that. */
export function keepScreenOn(): () => void {
  let lock: WakeLockSentinel | undefined;
  let ended = false;
  const take = async (): Promise<void> => {
    // Not every browser can, and none does while its page is not seen.
    if (!("wakeLock" in navigator) || document.visibilityState !== "visible") return;
    lock = await navigator.wakeLock.request("screen").catch(() => undefined);
    if (ended) await lock?.release();
  };
  void take();
  const stop = on(document, "visibilitychange", () => void take());
  return () => {
    ended = true;
    stop();
    void lock?.release();
  };
}
