/** Where the player is: plain addresses, kept in the browser's history. */
import patterns from "./routes.json";

export type Route =
  | { readonly page: "lobby" }
  /** In a viewing of the finished game, where one is named. */
  | { readonly page: "table"; readonly session: string; readonly viewing: string }
  /** The table's screen for a room. */
  | { readonly page: "tv"; readonly session: string }
  | { readonly page: "rules"; readonly game: string }
  | { readonly page: "editor"; readonly game: string }
  /** The list of them where none is named. */
  | { readonly page: "lessons"; readonly game: string; readonly lesson: string }
  | { readonly page: "statistics"; readonly game: string }
  | { readonly page: "run"; readonly run: string }
  | { readonly page: "account" }
  /** The player's own profile where none is named. */
  | { readonly page: "profile"; readonly player: string }
  | { readonly page: "results" }
  /** Of any game where none is named. */
  | { readonly page: "leaders"; readonly game: string }
  | { readonly page: "arena"; readonly game: string }
  | { readonly page: "achievements" }
  | { readonly page: "tournaments" }
  | { readonly page: "tournament"; readonly id: string }
  | { readonly page: "series"; readonly id: string }
  | { readonly page: "clubs" }
  /** By a link that lets in whoever has it, where there is a code. */
  | { readonly page: "club"; readonly id: string; readonly code: string }
  | { readonly page: "confirm-mail" }
  | { readonly page: "operator" }
  | { readonly page: "unsubscribe"; readonly code: string }
  /** Of today where no day is named. */
  | { readonly page: "puzzle"; readonly game: string; readonly day: string }
  | { readonly page: "lost" };

/** Returns the page that an address means. The gateway reads the same patterns, and answers 404 to all other addresses. */
export function routeOf(path: string): Route {
  const parts = path.split("/").filter((part) => part !== "");
  for (const [pattern, page] of Object.entries(patterns)) {
    const names = pattern.split("/").filter((name) => name !== "");
    const fewest = names.filter((name) => !name.endsWith("?")).length;
    if (parts.length < fewest || parts.length > names.length) continue;
    const pairs = names.map((name, index) => [name, parts[index] ?? ""] as const);
    if (!pairs.every(([name, part]) => name.startsWith(":") || name === part)) continue;
    const given = pairs
      .filter(([name]) => name.startsWith(":"))
      .map(([name, part]) => [name.replace(/[:?]/g, ""), part]);
    return { page, ...Object.fromEntries(given) } as Route;
  }
  return { page: "lost" };
}

const BESIDE = "beside";

function isBesidePages(state: unknown): boolean {
  return typeof state === "object" && state !== null && BESIDE in state;
}

function addressHere(): string {
  return location.pathname + location.hash;
}

/** The closing of a dialog or an open menu over the page: Back takes it away, and the page stays. */
type Close = () => void;

class Router {
  path = $state(location.pathname);
  /** Counts every arrival, so that a page can go to its anchor again. */
  arrival = $state(0);
  /** Dialogs and menus over the page, the topmost last. */
  readonly #over: Close[] = [];
  /** How it is said of popovers that are open that they are closed. */
  readonly #popovers = new WeakMap<HTMLElement, () => void>();
  #address = addressHere();
  /** Whether the browser is at an entry of its history that is there for Back to take a dialog away, and stands for no page. */
  #isBesidePages = isBesidePages(history.state);

  get route(): Route {
    return routeOf(this.path);
  }

  /** Goes to an address of this client. What lies over the page goes with it. */
  go(address: string): void {
    if (address !== addressHere()) {
      if (this.#isBesidePages) history.replaceState(null, "", address);
      else history.pushState(null, "", address);
      this.#isBesidePages = false;
    }
    this.#arrive();
    if (location.hash === "") window.scrollTo(0, 0);
  }

  /** Lets Back take away what lies over the page, by `close`. Returns what is to be called when it is gone. */
  cover(close: Close): () => void {
    this.#over.push(close);
    this.#standBeside();
    return () => {
      const at = this.#over.lastIndexOf(close);
      if (at >= 0) this.#over.splice(at, 1);
      // The entry stays until it is used for another dialog or page: to leave it now would take the browser a moment.
    };
  }

  /** Takes over the links of the page and the browser's own buttons. */
  start(): void {
    window.addEventListener("popstate", (event) => this.#moved(event.state));
    // Menus and other popovers of all parts of the page, those of boards, too, which know nothing of pages. Browsers say `toggle`
    // some time after one is open, and Back must not find it uncovered until then.
    document.addEventListener("beforetoggle", (event) => this.#toggled(event), true);
    document.addEventListener("click", (event) => {
      if (
        event.defaultPrevented ||
        event.button !== 0 ||
        event.metaKey ||
        event.ctrlKey ||
        event.shiftKey ||
        event.altKey
      )
        return;
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (link === null || link.target !== "" || link.hasAttribute("download")) return;
      const anchor = link.getAttribute("href");
      if (anchor?.startsWith("#")) {
        // An anchor of the page is the browser's own business; one of a dialog is no place to come back to.
        if (this.#over.length === 0) return;
        event.preventDefault();
        document.getElementById(decodeURIComponent(anchor.slice(1)))?.scrollIntoView();
        return;
      }
      if (link.origin !== location.origin || link.pathname.startsWith("/v1/")) return;
      event.preventDefault();
      this.go(link.pathname + link.hash);
    });
  }

  /** Follows the browser's buttons. */
  #moved(state: unknown): void {
    const [wasBeside, covered] = [this.#isBesidePages, this.#over.length > 0];
    this.#isBesidePages = isBesidePages(state);
    if (wasBeside && addressHere() === this.#address) {
      if (!covered) {
        // Nothing lies over the page any more: what is meant is the page before. Within a step browsers may drop another one.
        setTimeout(() => history.back());
        return;
      }
      this.#over.pop()?.();
      if (this.#over.length > 0) this.#standBeside();
      return;
    }
    this.#arrive();
  }

  /** Lets Back close a popover from its opening on. */
  #toggled({ target, newState }: ToggleEvent): void {
    if (!(target instanceof HTMLElement) || !target.popover) return;
    this.#popovers.get(target)?.();
    this.#popovers.delete(target);
    if (newState !== "open") return;
    const close = (): void => {
      if (target.matches(":popover-open")) target.hidePopover();
    };
    this.#popovers.set(target, this.cover(close));
  }

  #standBeside(): void {
    if (this.#isBesidePages) return;
    history.pushState({ ...(history.state as object | null), [BESIDE]: true }, "");
    this.#isBesidePages = true;
  }

  #arrive(): void {
    if (location.pathname !== this.path) for (const close of this.#over.splice(0)) close();
    this.path = location.pathname;
    this.#address = addressHere();
    this.arrival++;
  }
}

export const router = new Router();
