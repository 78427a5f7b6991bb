import { describe, expect, it, test } from "vitest";
import type { Outcome } from "@brettwerk/client/v1/games";
import { TONES, type Sound } from "../../src/app/sound";
import { Hearing, soundOfEnd, soundsOfPly } from "../../src/app/table/announcer/sounds";

test("every sound is short, can be heard, and is another than the others", () => {
  const sounds = Object.values(TONES);
  expect(new Set(sounds.map((tones) => JSON.stringify(tones))).size).toBe(sounds.length);
  for (const { at, length, pitch, share } of sounds.flat()) {
    expect(at + length).toBeLessThan(1);
    expect(pitch).toBeGreaterThan(100);
    expect(pitch).toBeLessThan(2000);
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThanOrEqual(1);
  }
});

describe("the sound", () => {
  it("is of a ply what was done, and the dice", () => {
    expect(soundsOfPly(undefined)).toEqual(["move"]);
    expect(soundsOfPly({ captures: false })).toEqual(["move"]);
    expect(soundsOfPly({ captures: true })).toEqual(["capture"]);
    expect(soundsOfPly({ captures: false, heard: "march" })).toEqual(["march"]);
    expect(soundsOfPly({ captures: true, heard: "conquest" })).toEqual(["conquest"]);
    expect(soundsOfPly({ captures: false, roll: "White has rolled 3." })).toEqual(["move", "die"]);
    expect(soundsOfPly({ captures: true, rolls: true })).toEqual(["capture", "die"]);
  });

  it("is of an end whether the player has won, and of a game of others that somebody has", () => {
    const outcome = (winners: number[]): Outcome => ({ winners, places: [1, 2], scores: [1, 0] }) as unknown as Outcome;
    expect(soundOfEnd(outcome([0]), [0])).toBe("win");
    expect(soundOfEnd(outcome([0]), [1])).toBe("loss");
    expect(soundOfEnd(outcome([0]), [0, 1])).toBe("win");
    expect(soundOfEnd(outcome([1]), [])).toBe("win");
    expect(soundOfEnd(outcome([]), [0])).toBe("draw");
    expect(soundOfEnd(undefined, [0])).toBe("draw");
  });
});

describe("a sound in quick succession", () => {
  const plies = (hearing: Hearing, count: number, everyMs: number, from = 0): number =>
    Array.from({ length: count }, (_, ply) => hearing.hear(["move"], from + ply * everyMs)).filter(
      (heard) => heard.length > 0,
    ).length;

  it("is left out, so that fast computers are no noise", () => {
    expect(plies(new Hearing(), 10, 1000)).toBe(10);
    expect(plies(new Hearing(), 200, 20)).toBeLessThanOrEqual(9);
    expect(plies(new Hearing(), 200, 20)).toBeGreaterThanOrEqual(5);
    const rested = new Hearing();
    plies(rested, 200, 20);
    expect(plies(rested, 4, 200, 60_000)).toBe(4);
  });

  it("is heard of the player, who hears what they do", () => {
    const hearing = new Hearing();
    expect(Array.from({ length: 20 }, (_, ply) => hearing.hear(["move"], ply * 200, true)).flat()).toHaveLength(20);
  });

  it("is heard together where it is of one ply, and not soon after an end", () => {
    const hearing = new Hearing();
    expect(hearing.hear(["capture", "die"], 0)).toEqual(["capture", "die"]);
    expect(hearing.hear(["loss"], 10)).toEqual(["loss"]);
    expect(hearing.hear(["move"], 600)).toEqual([]);
    expect(hearing.hear(["move"], 3000)).toEqual(["move"]);
  });

  it("is never what the player must know, unless they have just heard it", () => {
    const hearing = new Hearing();
    plies(hearing, 200, 20);
    for (const sound of ["turn", "low", "chat", "win", "draw"] satisfies Sound[]) {
      expect(hearing.hear([sound], 4001)).toEqual([sound]);
      expect(hearing.hear([sound], 4100)).toEqual([]);
      expect(hearing.hear([sound], 5100)).toEqual([sound]);
    }
  });
});
