import { expect, test } from "vitest";
import { routeOf } from "../../src/app/router.svelte";

test("addresses lead to their pages", () => {
  expect(routeOf("/")).toEqual({ page: "lobby" });
  expect(routeOf("/s/07abc")).toEqual({ page: "table", session: "07abc" });
  expect(routeOf("/rules/einstein")).toEqual({ page: "rules", game: "einstein" });
  expect(routeOf("/statistics/emperado")).toEqual({ page: "statistics", game: "emperado" });
  expect(routeOf("/run/07abc")).toEqual({ page: "run", run: "07abc" });
  for (const path of ["/s", "/s/a/b", "/nothing", "/rules", "/statistics", "/run"])
    expect(routeOf(path)).toEqual({ page: "lost" });
});
