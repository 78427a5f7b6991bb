/**
 * Files of the client that cannot be fetched: an update has replaced them by those of another build, or there is no network.
 *
 * Where a service worker is active, it has kept those of the page's build.
 */

/** How long the answers to what was sent are waited for before the page is loaded anew, in milliseconds. */
const ANSWERS_MS = 3000;
const LOOK_MS = 50;

class Files {
  #missed = $state(false);
  #isReloading = $state(false);
  #unanswered = (): number => 0;

  /** Whether something on the page is missing, and nothing is done about it by itself. */
  get areMissing(): boolean {
    return this.#missed && !this.#isReloading;
  }

  /**
   * Begins to listen to Vite, which tells when an import of a file fails.
   *
   * @param unanswered how many actions of the player have no answer.
   */
  listen(unanswered: () => number): void {
    this.#unanswered = unanswered;
    window.addEventListener("vite:preloadError", () => (this.#missed = true));
  }

  /**
   * Loads the page anew if that may help: once for each page, and only while the server answers.
   *
   * It is for pages of which nothing is there yet, so that nobody is in the middle of a move. What stays without an answer is
   * sent again by the next page.
   */
  async reload(): Promise<void> {
    if (wasReloaded()) return;
    this.#isReloading = true;
    if (!(await isServerThere())) {
      this.#isReloading = false;
      return;
    }
    const until = performance.now() + ANSWERS_MS;
    while (this.#unanswered() > 0 && performance.now() < until) await new Promise((done) => setTimeout(done, LOOK_MS));
    // Kept in the history, which every browser has, and not in its storage.
    history.replaceState({ ...(history.state as object | null), reloaded: true }, "");
    location.reload();
  }
}

function wasReloaded(): boolean {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && "reloaded" in state;
}

/** Returns whether the server has a page here: what a browser shows instead would be no help. */
async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch(location.pathname, { method: "HEAD", cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

export const files = new Files();
