import { expect, test } from "vitest";
import { routeOf } from "../../src/app/router.svelte";

test("addresses lead to their pages", () => {
  expect(routeOf("/")).toEqual({ page: "lobby" });
  expect(routeOf("/s/07abc")).toEqual({ page: "table", session: "07abc" });
  expect(routeOf("/rules/einstein")).toEqual({ page: "rules", game: "einstein" });
  for (const path of ["/s", "/s/a/b", "/nothing", "/rules"]) expect(routeOf(path)).toEqual({ page: "lost" });
});
