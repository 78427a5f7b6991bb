import { expect, test } from "vitest";
import { routeOf } from "../../src/app/router.svelte";

test("addresses lead to their pages", () => {
  expect(routeOf("/")).toEqual({ page: "lobby" });
  expect(routeOf("/s/07abc")).toEqual({ page: "table", session: "07abc" });
  expect(routeOf("/tournaments")).toEqual({ page: "tournaments" });
  expect(routeOf("/tournament/ab12")).toEqual({ page: "tournament", id: "ab12" });
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
  for (const path of ["/s", "/s/a/b", "/nothing", "/rules", "/statistics", "/run", "/player/a/b", "/results/a"])
    expect(routeOf(path)).toEqual({ page: "lost" });
});
