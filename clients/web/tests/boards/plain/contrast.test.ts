import { expect, test } from "vitest";
import { inkOn } from "../../../src/boards/plain/contrast";

test("ink is dark on light colours and light on dark ones", () => {
  for (const light of ["#f5f1e6", "#ffd43b", "#ffffff", "#90a4ae"]) expect(inkOn(light), light).toBe("#1b1d22");
  for (const dark of ["#23262d", "#1d4ed8", "#000000", "#8b1a1a", "navy"]) expect(inkOn(dark), dark).toBe("#ffffff");
});
