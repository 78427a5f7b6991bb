/** Waits in words, in both languages. */
import { expect, test } from "vitest";
import de from "../../../../../../brettwerk_games/languages/de/page/text.json";
import en from "../../../../src/app/text/en.json";
import { fill, type Args } from "../../../../src/app/text/fill";
import type { Key } from "../../../../src/app/text/text.svelte";
import { durationText, roughly, turnKey, waitText } from "../../../../src/app/table/waits/wait_text";
import { SAID_MS, WaitAnnouncements } from "../../../../src/app/table/waits/wait_announcements";
import type { WaitStatus } from "../../../../src/app/table/waits/waits.svelte";

const english = (key: Key, args: Args = {}): string => fill(en[key], args);
const german = (key: Key, args: Args = {}): string => fill(de[key], args);
const status = (fields: Partial<WaitStatus> = {}): WaitStatus => ({
  seat: 1,
  state: "waits",
  before: 14,
  waitMs: 20_000,
  long: true,
  ...fields,
});

test("a waiting player is told how many come before, and about how long it takes", () => {
  expect(waitText(status(), "Black", english)).toBe("Black is waiting for a free computer: 14 before you, about 20 s");
  expect(waitText(status(), "Schwarz", german)).toBe("Schwarz wartet auf einen freien Computer: 14 vor dir, etwa 20 s");
});

test("unknown figures are left out, and the first in the queue is told so in words", () => {
  const next = status({ before: 0, waitMs: undefined });
  expect(waitText(next, "Black", english)).toBe("Black is waiting for a free computer: next in turn");
  expect(waitText(status({ before: 1 }), "Black", english)).toContain("1 before you, ");
});

test("a computer thinks, or there is none", () => {
  expect(waitText(status({ state: "thinks" }), "Black", english)).toBe("Black thinks");
  expect(waitText(status({ state: "none" }), "Black", german)).toBe(de["wait.none"]);
  expect([undefined, status({ state: "thinks" }), status(), status({ state: "none" })].map(turnKey)).toEqual([
    "seat.acts",
    "wait.thinks",
    "wait.waits",
    "wait.waits",
  ]);
});

test("large numbers are said roughly, and as the language writes them", () => {
  expect([0, 1, 20, 23, 47, 98, 104, 1349, 18_750].map(roughly)).toEqual([0, 1, 20, 25, 45, 100, 100, 1300, 19_000]);
  const number = (count: number): string => new Intl.NumberFormat("de").format(count);
  expect(waitText(status({ before: 1349 }), "Schwarz", german, number)).toContain("1.300 vor dir");
  expect(waitText(status({ before: 18_750 }), "Schwarz", german, number)).toContain("19.000 vor dir");
});

test("times are rounded up to a believable precision", () => {
  const said = (seconds: number): string => durationText(seconds * 1000, english);
  expect([0, 0.4, 5, 5.1, 18, 30, 31, 79].map(said)).toEqual(
    [5, 5, 5, 10, 20, 30, 40, 80].map((count) => `about ${count} s`),
  );
  expect([81, 90, 150, 3600].map(said)).toEqual([1, 2, 3, 60].map((count) => `about ${count} min`));
  expect([5400, 7200].map(said)).toEqual(["about 2 h", "about 2 h"]);
});

test("a wait is said once, not with every second, and so is its end", () => {
  const announcements = new WaitAnnouncements();
  expect(announcements.hear(undefined, 0)).toBe("keep");
  expect(announcements.hear(status(), 0)).toBe("say");
  expect(announcements.hear(status({ before: 9 }), 1000)).toBe("keep");
  expect(announcements.hear(status({ state: "none" }), 2000)).toBe("say");
  expect(announcements.hear(status({ state: "thinks" }), 3000)).toBe("say");
  expect(announcements.hear(undefined, 4000)).toBe("silence");
});

test("thinking without a wait is not said", () => {
  const announcements = new WaitAnnouncements();
  expect(announcements.hear(status({ state: "thinks" }), 0)).toBe("silence");
  expect(announcements.hear(undefined, 1000)).toBe("silence");
});

test("a turn of many actions that each wait is said once in a while", () => {
  const announcements = new WaitAnnouncements();
  const said = [0, 1, 2, 3, 4].map((turn) => {
    const verdict = announcements.hear(status(), (turn * SAID_MS) / 2);
    announcements.hear(undefined, (turn * SAID_MS) / 2 + 1);
    return verdict;
  });
  expect(said).toEqual(["say", "silence", "say", "silence", "say"]);
});
