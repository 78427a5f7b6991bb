import { afterEach, expect, test } from "vitest";
import { sizeText } from "../../../src/app/operator/size_text";
import { settings } from "../../../src/app/settings.svelte";

afterEach(() => (settings.language = "en"));

test.each([
  [0n, "en", "0 MB"],
  [23_957_104n, "en", "24 MB"],
  [1_120_566_304n, "en", "1.1 GB"],
  [1_120_566_304n, "de", "1,1 GB"],
  [33_700_000_000n, "fr", "34 GB"],
] as const)("%s bytes are written in the language %s as %s", (bytes, language, written) => {
  settings.language = language;
  expect(sizeText(bytes).replaceAll("\u00A0", " ")).toBe(written);
});
