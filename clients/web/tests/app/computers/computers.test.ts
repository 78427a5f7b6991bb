import { describe, expect, it } from "vitest";
import { EYES, HEADS, lookOf, MOUTHS, TOPS } from "../../../src/app/computers/looks";
import { characterOf, computerName } from "../../../src/app/computers/computer_name";

const LEVELS: Readonly<Record<string, readonly string[]>> = {
  einstein: ["beginner", "easy", "normal", "strong", "best", "depth"],
  emperado: ["easy", "normal", "strong", "expert"],
  plateau: ["easy", "normal", "strong", "expert"],
  wec: ["easy", "normal", "strong"],
};

describe("the look of a computer", () => {
  it("is another for every level", () => {
    const looks = Object.entries(LEVELS).flatMap(([game, levels]) => levels.map((level) => lookOf(game, level)));
    expect(new Set(looks.map((look) => JSON.stringify(look))).size).toBe(17);
  });

  it.each(["connect_four", "ludo", "a-game-of-somebody-else"])("is there for unknown games: %s", (game) => {
    for (const level of ["easy", "normal", "strong"]) {
      const { head, eyes, mouth, top } = lookOf(game, level);
      expect(lookOf(game, level)).toEqual(lookOf(game, level));
      expect([HEADS[head], EYES[eyes], MOUTHS[mouth], TOPS[top]].every((part) => part !== undefined)).toBe(true);
    }
  });
});

describe("the name of a computer", () => {
  it("says how strong it is where it has none, and where the player has one for it", () => {
    expect(computerName("ludo", "easy")).toBe("Computer · easy");
    expect(computerName("ludo", "depth", 3)).toBe("Computer · depth 3");
    expect(computerName("ludo", "easy", 0, "Old friend")).toBe("Old friend – easy");
    expect(characterOf("ludo", "easy")).toBe("");
  });
});
