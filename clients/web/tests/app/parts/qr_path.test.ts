import { expect, test } from "vitest";
import { MARGIN, qrPath } from "../../../src/app/parts/qr_path";

/** Returns the modules that a path darkens. */
function modules(path: string): Set<string> {
  const dark = new Set<string>();
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let at = 0; at < Number(width); at++) dark.add(`${Number(x) + at},${Number(y)}`);
  return dark;
}

test("a code has its three finders, and a margin that nothing is drawn in", () => {
  const { size, dark } = qrPath("https://play.example.org/link#abcdefghijklmnopqrstuv");
  const drawn = modules(dark);
  const last = size - MARGIN - 1;
  for (const corner of [`${MARGIN},${MARGIN}`, `${last},${MARGIN}`, `${MARGIN},${last}`])
    expect(drawn).toContain(corner);
  for (const each of drawn)
    for (const place of each.split(",").map(Number)) {
      expect(place).toBeGreaterThanOrEqual(MARGIN);
      expect(place).toBeLessThanOrEqual(last);
    }
});

test("another text is another code, and a longer one a larger code", () => {
  expect(qrPath("one").dark).not.toBe(qrPath("two").dark);
  expect(qrPath("x".repeat(300)).size).toBeGreaterThan(qrPath("x").size);
});
