/** Which running table is shown in small on the first page, and when that may be loaded. */
import type { Session } from "@brettwerk/client/v1/sessions";

/** Returns the table to look at: the one of before as long as it is listed, or the first of a game with a board in small. */
export function toLookAt(
  listed: readonly Session[],
  before: string | undefined,
  over: ReadonlySet<string>,
  hasSmall: (game: string) => boolean,
): Session | undefined {
  const fit = listed.filter(({ id, game }) => hasSmall(game) && !over.has(id));
  return fit.find(({ id }) => id === before) ?? fit[0];
}

/** Whether the player's browser asks for as little traffic as possible. */
export function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

/** Calls once the page has come and the browser has nothing else to do. Returns how to take that back. */
export function whenAllElseIsDone(call: () => void): () => void {
  let undo = (): void => undefined;
  const idle = (): void => {
    // Not every browser tells when it is idle.
    if (typeof requestIdleCallback === "function") {
      const asked = requestIdleCallback(call);
      undo = () => cancelIdleCallback(asked);
    } else {
      const timer = setTimeout(call, 500);
      undo = () => clearTimeout(timer);
    }
  };
  if (document.readyState === "complete") idle();
  else {
    window.addEventListener("load", idle, { once: true });
    undo = () => window.removeEventListener("load", idle);
  }
  return () => undo();
}
