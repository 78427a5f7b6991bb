import { afterEach, describe, expect, it, vi } from "vitest";
import type { Session } from "@brettwerk/client/v1/sessions";
import { savesData, toLookAt } from "../../../src/app/lobby/live_choice";
import { Throttle } from "../../../src/app/lobby/throttle";

const session = (id: string, game = "einstein"): Session => ({ id, game }) as Session;
const hasThumbnail = (game: string): boolean => game !== "ludo";

const sights = { before: undefined, wanted: undefined, over: new Set<string>(), hasThumbnail };

describe("the table to look at", () => {
  it("is the newest of a game with a board in small", () => {
    const listed = [session("a", "ludo"), session("b"), session("c")];
    expect(toLookAt({ ...sights, listed })?.id).toBe("b");
    expect(toLookAt({ ...sights, listed: [session("a", "ludo")] })).toBeUndefined();
  });

  it("is one of the wanted game where there is any", () => {
    const listed = [session("a"), session("b", "wec"), session("c", "wec")];
    expect(toLookAt({ ...sights, listed, wanted: "wec" })?.id).toBe("b");
    expect(toLookAt({ ...sights, listed, wanted: "wec", before: "a" })?.id).toBe("b");
    expect(toLookAt({ ...sights, listed, wanted: "wec", before: "c" })?.id).toBe("c");
    expect(toLookAt({ ...sights, listed, wanted: "plateau" })?.id).toBe("a");
  });

  it("stays as long as it is listed and not over", () => {
    const listed = [session("a"), session("b")];
    expect(toLookAt({ ...sights, listed, before: "b" })?.id).toBe("b");
    expect(toLookAt({ ...sights, listed, before: "b", over: new Set(["b"]) })?.id).toBe("a");
    expect(toLookAt({ ...sights, listed: [session("a")], before: "b" })?.id).toBe("a");
    expect(toLookAt({ ...sights, listed: [], before: "b" })).toBeUndefined();
  });

  it("is none where data is saved", () => {
    expect(savesData()).toBe(false);
    vi.stubGlobal("navigator", { connection: { saveData: true } });
    expect(savesData()).toBe(true);
    vi.unstubAllGlobals();
  });
});

describe("a pace", () => {
  afterEach(() => void vi.useRealTimers());

  it("shows the first at once, and of those that come too fast the newest only", () => {
    vi.useFakeTimers();
    const shown: number[] = [];
    const pace = new Throttle<number>(700, (item) => shown.push(item));
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
