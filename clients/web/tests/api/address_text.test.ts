/** Bytes packed into an address come out again, and nothing else does. */
import { expect, test } from "vitest";
import { fromText, toText } from "../../src/api/address_text";

test("bytes come out as they went in, and the text fits into an address", async () => {
  for (const size of [0, 1, 2, 3, 255, 5000]) {
    const bytes = Uint8Array.from({ length: size }, (_, index) => (index * 31) % 256);
    const text = await toText(bytes);
    expect(text).toMatch(/^[\w-]*$/);
    expect(await fromText(text)).toEqual(bytes);
  }
});

test("text that was not packed is refused", async () => {
  await expect(fromText("!!!")).rejects.toThrow();
  await expect(fromText("AAAA")).rejects.toThrow();
  await expect(fromText("A".repeat(100_000))).rejects.toThrow("too long");
});

test("a small text cannot become endless bytes", async () => {
  const text = await toText(new Uint8Array(3_000_000));
  expect(text.length).toBeLessThan(10_000);
  await expect(fromText(text)).rejects.toThrow("too much");
});
