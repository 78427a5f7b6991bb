/** Where the player is: plain addresses, kept in the browser's history. */
import patterns from "./routes.json";

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
