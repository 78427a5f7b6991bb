/** The board alone, on the whole screen where the browser has one to give; elsewhere it fills the window. */
import { on } from "svelte/events";
import { router } from "../../router.svelte";

export class WholeScreen {
  /** Whether the board is alone. */
  on = $state(false);
  /** Says that Back leads to another page again. */
  #uncover = (): void => undefined;

  set(wanted: boolean): void {
    if (wanted !== this.on) {
      this.#uncover();
      // Back shows the page again that the board lies over, as a browser's own whole screen is left by it.
      this.#uncover = wanted ? router.cover(() => this.set(false)) : () => undefined;
    }
    this.on = wanted;
    const page = document.documentElement;
    // Not every browser has a whole screen, and not every page may have it: then the window has to do.
    if (!wanted) {
      if (document.fullscreenElement === page) document.exitFullscreen().catch(() => undefined);
    } else if ("requestFullscreen" in page) page.requestFullscreen().catch(() => undefined);
  }

  toggle(): void {
    this.set(!this.on);
  }

  /** Follows a player who leaves the whole screen by the browser's own means. Returns how to end that, and leaves it. */
  follow(): () => void {
    const stop = on(document, "fullscreenchange", () => {
      if (document.fullscreenElement === null) this.set(false);
    });
    return () => {
      stop();
      this.set(false);
    };
  }
}
