/** Installing the page as an app: offered in the settings where the browser can, and nowhere by itself. */

/** The event that browsers of Chromium's kin send when a page can be installed. */
interface InstallPromptEvent extends Event {
  prompt: () => Promise<unknown>;
}

function canPrompt(event: Event): event is InstallPromptEvent {
  return "prompt" in event && typeof event.prompt === "function";
}

class Installation {
  #offered = $state.raw<InstallPromptEvent | undefined>();

  /** Whether the browser can install the page now. */
  get canInstall(): boolean {
    return this.#offered !== undefined;
  }

  /** Begins to listen to what the browser offers; it then shows no prompt of its own. */
  listen(): void {
    window.addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault();
      if (canPrompt(event)) this.#offered = event;
    });
    window.addEventListener("appinstalled", () => (this.#offered = undefined));
  }

  /** Has the browser ask whether to install the page. */
  async install(): Promise<void> {
    const offered = this.#offered;
    this.#offered = undefined;
    await offered?.prompt();
  }
}

export const installation = new Installation();
