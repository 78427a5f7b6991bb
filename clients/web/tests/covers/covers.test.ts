import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

it("has covers that are as their boards are drawn now (npm run covers)", { timeout: 60_000 }, () => {
  expect(execFileSync(process.execPath, ["tools/covers.mjs", "--check"], { encoding: "utf8" })).toBe("");
});
