import { expect, test } from "vitest";
import { routeOf, router } from "../../src/app/router.svelte";

test("addresses lead to their pages", () => {
  expect(routeOf("/")).toEqual({ page: "lobby" });
  expect(routeOf("/s/07abc")).toEqual({ page: "table", session: "07abc", viewing: "" });
  expect(routeOf("/s/07abc/5e")).toEqual({ page: "table", session: "07abc", viewing: "5e" });
  expect(routeOf("/tournaments")).toEqual({ page: "tournaments" });
  expect(routeOf("/tournament/ab12")).toEqual({ page: "tournament", id: "ab12" });
  expect(routeOf("/series/ab12")).toEqual({ page: "series", id: "ab12" });
  expect(routeOf("/clubs")).toEqual({ page: "clubs" });
  expect(routeOf("/club/ab12")).toEqual({ page: "club", id: "ab12", code: "" });
  expect(routeOf("/club/ab12/Xy-9")).toEqual({ page: "club", id: "ab12", code: "Xy-9" });
  expect(routeOf("/rules/einstein")).toEqual({ page: "rules", game: "einstein" });
  expect(routeOf("/statistics/emperado")).toEqual({ page: "statistics", game: "emperado" });
  expect(routeOf("/run/07abc")).toEqual({ page: "run", run: "07abc" });
  expect(routeOf("/player")).toEqual({ page: "profile", player: "" });
  expect(routeOf("/player/07abc")).toEqual({ page: "profile", player: "07abc" });
  expect(routeOf("/leaders")).toEqual({ page: "leaders", game: "" });
  expect(routeOf("/leaders/wec")).toEqual({ page: "leaders", game: "wec" });
  expect(routeOf("/learn/wec")).toEqual({ page: "lessons", game: "wec", lesson: "" });
  expect(routeOf("/puzzle/wec/2026-11-26/")).toEqual({ page: "puzzle", game: "wec", day: "2026-11-26" });
  expect(routeOf("/edit/wec")).toEqual({ page: "editor", game: "wec" });
  expect(routeOf("/unsubscribe/c0de")).toEqual({ page: "unsubscribe", code: "c0de" });
  for (const path of ["/account", "/link", "/signed-in"]) expect(routeOf(path)).toEqual({ page: "account" });
  for (const page of ["results", "achievements"]) expect(routeOf(`/${page}`)).toEqual({ page });
  for (const path of ["/s", "/s/a/b/c", "/nothing", "/rules", "/statistics", "/run", "/player/a/b", "/results/a"])
    expect(routeOf(path)).toEqual({ page: "lost" });
});

/** Resolves when the browser has moved in its history. */
function moved(): Promise<void> {
  return new Promise((resolve) => window.addEventListener("popstate", () => resolve(), { once: true }));
}

async function back(): Promise<void> {
  const arrived = moved();
  history.back();
  await arrived;
}

test("Back takes dialogs away one by one, and then leaves the page", async () => {
  router.start();
  router.go("/s/07abc");
  const closed: string[] = [];
  const outer = (): void => void closed.push("outer");
  const inner = (): void => void closed.push("inner");
  router.cover(outer);
  router.cover(inner);
  await back();
  expect([router.path, closed]).toEqual(["/s/07abc", ["inner"]]);
  await back();
  expect([router.path, closed]).toEqual(["/s/07abc", ["inner", "outer"]]);
  await back();
  expect(router.path).toBe("/");
});

test("dialogs that were closed otherwise leave nothing to go back through", async () => {
  router.go("/s/07abc");
  const before = history.length;
  for (let count = 0; count < 3; count++) router.cover(() => undefined)();
  expect(history.length).toBe(before + 1);
  const left = moved().then(moved);
  history.back();
  await left;
  expect(router.path).toBe("/");
});

test("a page that a dialog leads to takes the dialog away, and Back comes from it to the page below", async () => {
  router.go("/s/07abc");
  let closed = 0;
  router.cover(() => closed++);
  router.go("/rules/einstein");
  expect([router.path, closed]).toEqual(["/rules/einstein", 1]);
  await back();
  expect(router.path).toBe("/s/07abc");
  await back();
});
