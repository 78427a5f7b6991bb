/** Drawings are put in their place by their own numbers, and look as a transform would have made them look. */
import { expect, test } from "vitest";
import { ALL_ARTICLES, ALL_KINDS, articleLook, lookOf } from "../../../src/boards/wec/kinds";
import { AS_IT_IS, placed, within } from "../../../src/boards/wec/placement";

test("an absolute command moves and grows, a relative one only grows", () => {
  const at = { x: 100, y: 200, scale: 0.5 };
  expect(placed("M10 20l4-6h8v-2H12V14z", at)).toBe("M105 210l2 -3h4v-1H106V207z");
});

test("an arc keeps its turn and its flags, and a circle stays open by the same gap", () => {
  expect(placed("M0-16a16 16 0 1 1-.01 0z", { x: 50, y: 50, scale: 0.5 })).toBe("M50 42a8 8 0 1 1 -0.01 0z");
});

test("a mirrored path goes the other way around", () => {
  const at = within(AS_IT_IS, { x: 100, y: 0, scale: 1, mirrored: true });
  expect(placed("M15 5a4 4 0 0 1 8 2L4 15", at)).toBe("M85 5a4 4 0 0 0 -8 2L96 15");
});

test("places within places are those of transforms within transforms", () => {
  const outer = { x: 300, y: 400, scale: 0.5, mirrored: true };
  expect(within(outer, { x: 50, y: 64, scale: 1.35 })).toEqual({ x: 275, y: 432, scale: 0.675, mirrored: true });
});

test("a path at its own place is not written anew, and every sign and figure is written in numbers that are known", () => {
  const pictures = [...ALL_KINDS.map((kind) => lookOf(kind)), ...ALL_ARTICLES.map((article) => articleLook(article))];
  const numbers: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, a: 7, z: 0 };
  for (const { picture } of pictures) {
    expect(placed(picture, AS_IT_IS)).toBe(picture);
    for (const [, command = "", values = ""] of placed(picture, { x: 1, y: 1, scale: 2 }).matchAll(
      /([a-z])([^a-z]*)/gi,
    )) {
      const each = numbers[command.toLowerCase()];
      const found = values.trim() === "" ? 0 : values.trim().split(" ").length;
      expect(each === 0 ? found : found % (each ?? NaN), picture).toBe(0);
    }
  }
});
