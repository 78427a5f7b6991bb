import { expect, test } from "vitest";
import { TONES } from "../../src/app/sound";

test("every sound is short, can be heard, and is another than the others", () => {
  const sounds = Object.values(TONES);
  expect(new Set(sounds.map((tones) => JSON.stringify(tones))).size).toBe(sounds.length);
  for (const { at, length, pitch } of sounds.flat()) {
    expect(at + length).toBeLessThan(1);
    expect(pitch).toBeGreaterThan(100);
    expect(pitch).toBeLessThan(2000);
  }
});
