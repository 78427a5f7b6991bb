/** The pages that come when they are wanted: what brings each of them, and which part of its address makes it a new one. */
import type { Component } from "svelte";
import { files } from "./files.svelte";
import type { Route } from "./router.svelte";

type LateRoute = Exclude<Route, { page: "lobby" | "lost" }>;
type LatePage = LateRoute["page"];
type Params<Page extends LatePage> = Omit<Extract<LateRoute, { page: Page }>, "page">;
/** A page that is given the variable parts of its address. */
type AnyPage = Component<Readonly<Record<string, string>>>;

const PAGES: {
  readonly [Page in LatePage]: {
    readonly load: () => Promise<{ readonly default: Component<Params<Page>> }>;
    /** The parts of the address with which the page begins anew; pages without any change what they show. */
    readonly renewedBy?: keyof Params<Page> | readonly (keyof Params<Page>)[];
  };
} = {
  table: { load: () => import("./pages/TablePage.svelte"), renewedBy: ["session", "viewing"] },
  tv: { load: () => import("./pages/TvPage.svelte"), renewedBy: "session" },
  rules: { load: () => import("./pages/RulesPage.svelte") },
  editor: { load: () => import("./pages/EditorPage.svelte"), renewedBy: "game" },
  lessons: { load: () => import("./pages/LessonsPage.svelte"), renewedBy: "game" },
  statistics: { load: () => import("./pages/StatisticsPage.svelte"), renewedBy: "game" },
  run: { load: () => import("./pages/RunPage.svelte"), renewedBy: "run" },
  account: { load: () => import("./pages/AccountPage.svelte") },
  profile: { load: () => import("./pages/ProfilePage.svelte"), renewedBy: "player" },
  results: { load: () => import("./pages/ResultsPage.svelte") },
  leaders: { load: () => import("./pages/LeadersPage.svelte") },
  arena: { load: () => import("./pages/ArenaPage.svelte") },
  achievements: { load: () => import("./pages/AchievementsPage.svelte") },
  tournaments: { load: () => import("./pages/TournamentsPage.svelte") },
  tournament: { load: () => import("./pages/TournamentPage.svelte"), renewedBy: "id" },
  series: { load: () => import("./pages/SeriesPage.svelte"), renewedBy: "id" },
  clubs: { load: () => import("./pages/ClubsPage.svelte") },
  club: { load: () => import("./pages/ClubPage.svelte"), renewedBy: "id" },
  puzzle: { load: () => import("./pages/PuzzlePage.svelte") },
  "confirm-mail": { load: () => import("./pages/MailPage.svelte") },
  unsubscribe: { load: () => import("./pages/MailPage.svelte") },
  operator: { load: () => import("./pages/OperatorPage.svelte") },
};

/** Returns a page once its files are there. Raises an Error if they cannot be fetched; everything is loaded anew then, once. */
export async function load(page: LatePage): Promise<AnyPage> {
  try {
    // The table above has checked that each page takes what its address has.
    return (await PAGES[page].load()).default as AnyPage;
  } catch (error) {
    void files.reload();
    throw error;
  }
}

/** Returns the variable parts of an address, which a page is given. */
export function paramsOf({ page: _, ...params }: Route): Readonly<Record<string, string>> {
  return params;
}

/** Returns the parts of an address whose change makes a page a new one; undefined if there are none. */
export function renewedBy(route: Route): string | undefined {
  const parts = route.page === "lobby" || route.page === "lost" ? undefined : PAGES[route.page].renewedBy;
  const params = paramsOf(route);
  return (
    parts &&
    [parts]
      .flat()
      .map((part) => params[part])
      .join("/")
  );
}
