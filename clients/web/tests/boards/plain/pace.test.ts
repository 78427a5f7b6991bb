/** Moves of several others are shown one after the other; the player waits for nothing that they are to answer. */
import { afterAll, expect, test, vi } from "vitest";
import type { BoardSeat } from "../../../src/boards/board";

/** Whether the player wants reduced motion. */
const query = { matches: false };
vi.stubGlobal("matchMedia", () => query);
// The browser is asked once, perhaps by a test of another file.
vi.resetModules();
const { plainPace } = await import("../../../src/boards/plain/pace");
afterAll(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const seat = (mine: boolean, acts: boolean): BoardSeat => ({
  name: "",
  who: "",
  colour: "",
  computer: !mine,
  mine,
  acts,
});

test("a move that others go on from is shown for a moment, unless the player wants no motion", () => {
  const seats = [seat(true, false), seat(false, true)];
  expect(plainPace({ seats })).toHaveLength(1);
  query.matches = true;
  expect(plainPace({ seats })).toEqual([]);
  query.matches = false;
});

test("a move for the player to answer, and the end, are there at once", () => {
  expect(plainPace({ seats: [seat(true, true), seat(false, false)] })).toEqual([]);
  expect(plainPace({ seats: [seat(true, false), seat(false, false)] })).toEqual([]);
});
