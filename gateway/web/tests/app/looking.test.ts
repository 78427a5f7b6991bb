import { afterEach, describe, expect, it, vi } from "vitest";
import type { Session } from "@brettwerk/client/v1/sessions";
import { savesData, toLookAt } from "../../src/app/lobby/looking";
import { Pace } from "../../src/app/lobby/pace";

const session = (id: string, game = "einstein"): Session => ({ id, game }) as Session;
const hasSmall = (game: string): boolean => game !== "ludo";
const nothing = new Set<string>();

describe("the table to look at", () => {
  it("is the newest of a game with a board in small", () => {
    const listed = [session("a", "ludo"), session("b"), session("c")];
    expect(toLookAt(listed, undefined, nothing, hasSmall)?.id).toBe("b");
    expect(toLookAt([session("a", "ludo")], undefined, nothing, hasSmall)).toBeUndefined();
  });

  it("stays as long as it is listed and not over", () => {
    const listed = [session("a"), session("b")];
    expect(toLookAt(listed, "b", nothing, hasSmall)?.id).toBe("b");
    expect(toLookAt(listed, "b", new Set(["b"]), hasSmall)?.id).toBe("a");
    expect(toLookAt([session("a")], "b", nothing, hasSmall)?.id).toBe("a");
    expect(toLookAt([], "b", nothing, hasSmall)).toBeUndefined();
  });

  it("is none for whoever saves data", () => {
    expect(savesData()).toBe(false);
    vi.stubGlobal("navigator", { connection: { saveData: true } });
    expect(savesData()).toBe(true);
    vi.unstubAllGlobals();
  });
});

describe("a pace", () => {
  afterEach(() => void vi.useRealTimers());

  it("shows the first at once, and of what comes too fast the newest only", () => {
    vi.useFakeTimers();
    const shown: number[] = [];
    const pace = new Pace<number>(700, (item) => shown.push(item));
    for (const item of [1, 2, 3]) pace.take(item);
    expect(shown).toEqual([1]);
    vi.advanceTimersByTime(700);
    expect(shown).toEqual([1, 3]);
    pace.take(4);
    pace.stop();
    vi.advanceTimersByTime(5000);
    expect(shown).toEqual([1, 3]);
    pace.take(5);
    expect(shown).toEqual([1, 3, 5]);
  });
});
