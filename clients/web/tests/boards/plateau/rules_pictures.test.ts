import { expect, test } from "vitest";
import { startIn } from "../../../src/boards/plateau/rules_pictures";

test("a start position is read from the figure of the page, other texts are not", () => {
  const rows = Array.from("ABCDEFGHIJK", (ring) => (ring === "A" ? "A   bE m2  ." : `${ring}    .  . g6`));
  expect(startIn(["     1  2  3", ...rows].join("\n"))).toEqual({
    longitudes: 3,
    armies: [
      { seat: 0, kind: 4, node: 0 },
      { seat: 1, kind: 1, node: 1 },
      ...Array.from({ length: 10 }, (_, ring) => ({ seat: 2, kind: 3, node: (ring + 1) * 3 + 2 })),
    ],
    red: [],
  });
  const flat = ["     1  2  3", ...rows.map((row) => row.replace("g6", " #"))].join("\n");
  expect(startIn(flat)?.red).toEqual(Array.from({ length: 10 }, (_, ring) => (ring + 1) * 3 + 2));
  expect(startIn("A  .  .")).toBeUndefined();
});
