/** A premove is played once when the turn comes, and only if it is listed then. */
import { create } from "@bufbuild/protobuf";
import { beforeEach, expect, test, vi } from "vitest";
import { ClockSpec_Kind } from "@brettwerk/client/v1/record";
import { SessionSchema, UpdateSchema } from "@brettwerk/client/v1/sessions";
import { loadTypes } from "../../../src/api/registry";
import { Premove, type Place } from "../../../src/app/premove/premove.svelte";
import { settings } from "../../../src/app/settings.svelte";

const TYPE = "brettwerk.v1.WecAction";
const FIELDS = { kind: { case: "move", value: { piece: 7, place: 42 } } };
const DAY_MS = 86_400_000n;

type Changing = { -readonly [Key in keyof Place]: Place[Key] };

function placeWith(change: Partial<Place> = {}): Changing & { asked: ReturnType<typeof vi.fn> } {
  const asked = vi.fn(() => Promise.resolve(true));
  return {
    session: session(600_000n),
    live: update(0, 4),
    running: true,
    myTurn: false,
    covered: false,
    seats: [1],
    looking: undefined,
    board: { premoves: true },
    choosing: { playIfListed: asked },
    asked,
    ...change,
  };
}

function session(timeMs: bigint, seats = 2) {
  const clock = { kind: ClockSpec_Kind.TOTAL, timeMs };
  return create(SessionSchema, { clock, seats: Array.from({ length: seats }, () => ({})) });
}

function update(acts: number, plies: number) {
  return create(UpdateSchema, { toAct: [acts], session: { plies } });
}

beforeEach(async () => {
  settings.premove = true;
  await loadTypes("wec");
});

test("it is played once, when the turn comes", async () => {
  const place = placeWith();
  const premove = new Premove(place);
  premove.choose(TYPE, FIELDS, "King");
  premove.follow();
  expect(place.asked).not.toHaveBeenCalled();
  [place.myTurn, place.live] = [true, update(1, 5)];
  premove.follow();
  premove.follow();
  await expect.poll(() => place.asked).toHaveBeenCalledTimes(1);
  expect([premove.chosen, premove.dropped]).toEqual([undefined, undefined]);
});

test("a premove not listed then is dropped, and told until play goes on", async () => {
  const place = placeWith();
  place.asked.mockResolvedValue(false);
  const premove = new Premove(place);
  premove.choose(TYPE, FIELDS, "King");
  [place.myTurn, place.live] = [true, update(1, 5)];
  premove.follow();
  await expect.poll(() => premove.dropped?.words).toBe("King");
  premove.follow();
  expect(premove.dropped).toBeDefined();
  place.live = update(1, 6);
  premove.follow();
  expect(premove.dropped).toBeUndefined();
  expect(place.asked).toHaveBeenCalledTimes(1);
});

test("a taken back ply, an end, and the setting take it away", () => {
  const ways: ((place: Changing) => void)[] = [
    (place) => (place.live = update(0, 3)),
    (place) => (place.running = false),
    () => (settings.premove = false),
  ];
  for (const way of ways) {
    settings.premove = true;
    const place = placeWith();
    const premove = new Premove(place);
    premove.choose(TYPE, FIELDS, "King");
    expect(premove.chosen).toBeDefined();
    way(place);
    premove.follow();
    expect(premove.chosen).toBeUndefined();
    expect(place.asked).not.toHaveBeenCalled();
  }
});

test("it is possible in games of two under a clock of less than a day, while the other is to act", () => {
  expect(new Premove(placeWith()).possible).toBe(true);
  const not: Partial<Place>[] = [
    { session: session(DAY_MS) },
    { session: create(SessionSchema, { seats: [{}, {}] }) },
    { session: session(600_000n, 4) },
    { seats: [] },
    { seats: [0, 1] },
    { live: update(1, 4) },
    { myTurn: true },
    { looking: 3n },
    { covered: true },
    { running: false },
    { board: {} },
  ];
  for (const change of not) expect(new Premove(placeWith(change)).possible, Object.keys(change).join()).toBe(false);
  settings.premove = false;
  expect(new Premove(placeWith()).possible).toBe(false);
});
