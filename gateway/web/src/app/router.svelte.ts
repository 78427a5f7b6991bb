/** Where the player is: plain addresses, kept in the browser's history. */

export type Route =
  | { readonly page: "lobby" }
  | { readonly page: "table"; readonly session: string }
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
  | { readonly page: "confirm-mail" }
  | { readonly page: "unsubscribe"; readonly code: string }
  /** Of today where no day is named. */
  | { readonly page: "puzzle"; readonly game: string; readonly day: string }
  | { readonly page: "lost" };

/** Returns the page that an address means. */
export function routeOf(path: string): Route {
  const parts = path.split("/").filter((part) => part !== "");
  const [first, second] = parts;
  if (first === undefined) return { page: "lobby" };
  if (parts.length === 1 && ["account", "link", "signed-in"].includes(first)) return { page: "account" };
  if (parts.length === 1) {
    if (first === "results" || first === "achievements" || first === "tournaments") return { page: first };
    if (first === "confirm-mail") return { page: first };
  }
  if (parts.length <= 2 && first === "player") return { page: "profile", player: second ?? "" };
  if (parts.length <= 2 && first === "leaders") return { page: "leaders", game: second ?? "" };
  if (parts.length <= 3 && second !== undefined && first === "learn")
    return { page: "lessons", game: second, lesson: parts[2] ?? "" };
  if (parts.length <= 2 && first === "arena") return { page: "arena", game: second ?? "" };
  if (parts.length <= 3 && first === "puzzle" && second !== undefined)
    return { page: "puzzle", game: second, day: parts[2] ?? "" };
  if (parts.length === 2 && second !== undefined) {
    if (first === "s") return { page: "table", session: second };
    if (first === "rules") return { page: "rules", game: second };
    if (first === "edit") return { page: "editor", game: second };
    if (first === "statistics") return { page: "statistics", game: second };
    if (first === "unsubscribe") return { page: "unsubscribe", code: second };
    if (first === "run") return { page: "run", run: second };
    if (first === "tournament") return { page: "tournament", id: second };
  }
  return { page: "lost" };
}

class Router {
  path = $state(location.pathname);
  /** Counts every arrival, so that a page can go to its anchor again. */
  arrival = $state(0);

  get route(): Route {
    return routeOf(this.path);
  }

  /** Goes to an address of this client. */
  go(address: string): void {
    if (address !== location.pathname + location.hash) history.pushState(null, "", address);
    this.#arrive();
    if (location.hash === "") window.scrollTo(0, 0);
  }

  /** Takes over the links of the page and the browser's own buttons. */
  start(): void {
    window.addEventListener("popstate", () => this.#arrive());
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
      // An anchor of this page is the browser's own business.
      if (link.getAttribute("href")?.startsWith("#")) return;
      if (link.origin !== location.origin || link.pathname.startsWith("/v1/")) return;
      event.preventDefault();
      this.go(link.pathname + link.hash);
    });
  }

  #arrive(): void {
    this.path = location.pathname;
    this.arrival++;
  }
}

export const router = new Router();
