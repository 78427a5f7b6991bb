/** Which running table is shown in small on the first page, and when that may be loaded. */
import type { Session } from "@brettwerk/client/v1/sessions";

/** The tables to choose from. */
interface Sights {
  readonly listed: readonly Session[];
  /** The table that is looked at now. */
  readonly before: string | undefined;
  /** The game that is chosen. */
  readonly wanted: string | undefined;
  /** Tables whose end has been seen. */
  readonly over: ReadonlySet<string>;
  readonly hasThumbnail: (game: string) => boolean;
}

/** Returns the table to look at, one of the wanted game if there is any: the one of before as long as it is listed, or the first. */
export function toLookAt({ listed, before, wanted, over, hasThumbnail }: Sights): Session | undefined {
  const shown = listed.filter(({ id, game }) => hasThumbnail(game) && !over.has(id));
  const ofWanted = shown.filter(({ game }) => game === wanted);
  const fit = ofWanted.length > 0 ? ofWanted : shown;
  return fit.find(({ id }) => id === before) ?? fit[0];
}

/** Whether the player's browser asks for as little traffic as possible. */
export function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

/** A slow device may never come to rest: after so long it need not have. */
const BUSY_MS = 5_000;

/** Calls once the page has come and the browser has nothing else to do. Returns how to take that back. */
export function whenAllElseIsDone(call: () => void): () => void {
  let undo = (): void => undefined;
  const idle = (): void => {
    // Not every browser tells when it is idle.
    if (typeof requestIdleCallback === "function") {
      const asked = requestIdleCallback(call, { timeout: BUSY_MS });
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
