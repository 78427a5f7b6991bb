/** The board of Weaponized Chess: what it makes of actions, strings and views, and what it plays when it is touched. */
import { create } from "@bufbuild/protobuf";
import { OptionSpecSchema } from "../../../src/api/generated/brettwerk/v1/games_pb";
import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, test } from "vitest";
import {
  WecActionSchema,
  WecArticle,
  WecEventSchema,
  WecHand,
  WecKind,
  WecMovement,
  WecViewSchema,
  type WecAction,
} from "../../../src/api/generated/brettwerk/v1/wec_pb";
import type { BoardProps, Choice, Say } from "../../../src/boards/board";
import { deedsOf, dozing } from "../../../src/boards/wec/deeds";
import { boxesOf } from "../../../src/boards/wec/layout";
import { readPreferences } from "../../../src/boards/wec/preferences";
import { drawnIn, gone } from "../../../src/boards/wec/motion";
import { pace } from "../../../src/boards/wec/pace";
import { stacksOf, waitsOf, type Stack } from "../../../src/boards/wec/sight";
import { drawnAt, nameOf, neighbour, placeName, placeNamed, squareAt, SQUARES } from "../../../src/boards/wec/squares";
import { shotsIn, strikesIn, wayIn } from "../../../src/boards/wec/strings";
import { tell } from "../../../src/boards/wec/tell";
import WecBoard from "../../../src/boards/wec/WecBoard.svelte";

const say: Say = (key, args = {}) => [key, ...Object.values(args)].join(" ");

function choices(...kinds: WecAction["kind"][]): Choice[] {
  return kinds.map((kind, key) => ({
    key,
    places: [],
    notation: `n${key}`,
    label: `l${key}`,
    action: create(WecActionSchema, { kind }),
  }));
}

const move = (piece: number, place: number, carry = false): WecAction["kind"] =>
  create(WecActionSchema, { kind: { case: "move", value: { piece, place, carry } } }).kind;
const fire = (piece: number, weapon: WecArticle, direction: number): WecAction["kind"] =>
  create(WecActionSchema, { kind: { case: "fire", value: { piece, weapon, direction } } }).kind;
const end: WecAction["kind"] = create(WecActionSchema, { kind: { case: "endTurn", value: {} } }).kind;

test("every square is drawn once from each side, and found again", () => {
  for (const turned of [false, true]) {
    const seen = new Set<string>();
    for (let square = 0; square < SQUARES; square += 1) {
      const { row, column } = drawnAt(square, turned);
      seen.add(`${row} ${column}`);
      expect(squareAt(row, column, turned)).toBe(square);
    }
    expect(seen.size).toBe(SQUARES);
  }
  expect(drawnAt(0, false)).toEqual({ row: 9, column: 0 });
});

test("places have the names of the notation", () => {
  for (const place of [0, 99, 100, 207]) expect(placeNamed(placeName(place))).toBe(place);
  expect(placeName(133)).toBe("^(4,4)");
  expect(placeNamed("(11,1)")).toBeUndefined();
  expect(placeNamed("?")).toBeUndefined();
  expect(neighbour(0, 0)).toBeUndefined();
  expect(nameOf(neighbour(0, 2) ?? -1)).toBe("(2,2)");
});

test("a swap can be begun from both sides, a gift from the giver only", () => {
  const swap = create(WecActionSchema, {
    kind: { case: "exchange", value: { piece: 1, article: WecArticle.FLAME, other: 2, back: WecArticle.ROCKET } },
  }).kind;
  const gift = create(WecActionSchema, {
    kind: { case: "exchange", value: { piece: 1, article: WecArticle.FLAME, other: 2 } },
  }).kind;
  const deeds = deedsOf(choices(swap, gift), (piece) => piece * 10);
  expect(deeds.map(({ actor, tool, target, variant }) => [actor, tool, target, variant])).toEqual([
    [1, "article.flame", 20, "article.rocket"],
    [2, "article.rocket", 10, "article.flame"],
    [1, "article.flame", 20, ""],
  ]);
});

test("a doze is found by the squares that go along, in whatever order they were touched", () => {
  const doze = (squares: number[]): WecAction["kind"] =>
    create(WecActionSchema, { kind: { case: "doze", value: { piece: 1, direction: 1, squares } } }).kind;
  const deeds = deedsOf(choices(doze([]), doze([10, 12]), doze([10])), () => 11);
  expect(dozing(deeds, new Set([12, 10])).map((deed) => deed.choice.key)).toEqual([1]);
  expect(dozing(deeds, new Set()).map((deed) => deed.choice.key)).toEqual([0]);
  expect(deeds[0]?.target).toBe(21);
});

test("the pieces of a square do not cover one another and stay inside", () => {
  for (const places of [[5], [5, 5], [105, 5], [105, 105, 5], [105, 105, 5, 5, 205, 205]]) {
    const boxes = boxesOf(places);
    expect(boxes).toHaveLength(places.length);
    for (const { x, y, size } of boxes) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(Math.max(x, y) + size).toBeLessThanOrEqual(100);
    }
    const corners = new Set(boxes.map(({ x, y }) => `${x} ${y}`));
    expect(corners.size).toBe(places.length);
  }
});

test("countdowns are those that the view tells", () => {
  const { pieces } = create(WecViewSchema, {
    pieces: [{ id: 1, turnsFirst: 2, articles: [{ kind: WecArticle.FLAME, turns: 4 }] }, { id: 2 }],
  });
  expect(pieces.map((piece) => waitsOf(piece))).toEqual([[2, 4], []]);
});

test("what went is found by its name, a projectile by what is a step away", () => {
  const stacks = (...places: [number, number][]): Stack[] =>
    stacksOf(
      create(WecViewSchema, {
        pieces: [{ id: 7, place: places[0]?.[0] ?? 0 }],
        projectiles: places.map(([, square], index) => ({
          number: index + 1,
          weapon: WecArticle.ROCKET,
          square,
          launched: 3,
          strength: 1,
        })),
      }),
    );
  const before = drawnIn(stacks([0, 22], [0, 88]), false);
  const now = drawnIn(stacks([11, 89]), false);
  expect(gone(before, before)).toEqual([]);
  expect(gone(before, now)).toEqual([
    { name: "piece-7", dx: -100, dy: 100 },
    { name: "shot-1", dx: -100, dy: 0 },
  ]);
  expect(gone(drawnIn(stacks([0, 22]), false), drawnIn(stacks([0, 28]), false))).toEqual([]);
});

test("what computers do is shown for a while, what people do at once, nothing where nothing is to move", () => {
  const seats = [false, true].map((computer) => ({
    name: "",
    who: "",
    colour: "",
    computer,
    mine: false,
    acts: false,
  }));
  const events = [
    create(WecEventSchema, { kind: { case: "acted", value: { seat: 1 } } }),
    create(WecEventSchema, { kind: { case: "happened", value: {} } }),
  ];
  const seconds = (seat: number | undefined, kept = {}): number =>
    pace({ seat, events, view: undefined, newest: undefined, seats, kept }).reduce(
      (sum, each) => sum + each.seconds,
      0,
    );
  expect(seconds(1)).toBeGreaterThan(seconds(1, { motion: "short" }));
  expect([seconds(0), seconds(undefined), seconds(1, { motion: "none" })]).toEqual([0, 0, 0]);
});

test("the strings of the notation tell ways, shots and hits", () => {
  const text = "MV:TA(2,4)1FL>->(5,4),FI1:FL/TA(5,4)1FL>->(6,4),RS:FK*RP(6,4)0W";
  expect(wayIn(text)).toEqual({ from: 13, to: 43, came: 43 });
  expect(shotsIn(text)).toEqual([{ from: 43, to: 53 }]);
  expect(strikesIn("FK*RP(6,4)0W")).toEqual([53]);
  expect(wayIn("MV:JE^(1,4)->^(3,4),RS:BP*JE^(2,4)0B")).toEqual({ from: 3, to: 23, came: 13 });
  expect(wayIn("MV:TA(2,4)>->(6,4),RS:TA*AAA(5,4)0W")).toEqual({ from: 13, to: 53, came: 43 });
  expect(wayIn("MV:--")).toBeUndefined();
  expect(wayIn("MV:?")).toBeUndefined();
});

test("a Move is told in words, and what came of it", () => {
  const event = (kind: object): unknown => create(WecEventSchema, { kind } as never);
  const told = tell(
    [
      event({ case: "acted", value: { seat: 0, texts: { black: "MV:Q(1,6)->(4,6)" } } }),
      event({ case: "happened", value: { black: "Q*FP(4,6)0W" } }),
    ],
    say,
  );
  expect(told.action).toBe("board.wec.told.moved seat.0.name kind.queen 1, 6 4, 6");
  expect(told.after).toBe("board.wec.told.taken kind.flame_pawn 4, 6");
  expect(told.captures).toBe(true);
  expect(tell([event({ case: "happened", value: { white: "ST*FP(4,6)3W" } })], say).captures).toBe(false);
});

test("what was kept and cannot be right becomes the original", () => {
  expect(readPreferences({ simple: "yes", colours: "pink" })).toEqual(readPreferences({}));
  expect(readPreferences({ simple: true, colours: "slate" })).toMatchObject({ simple: true, colours: "slate" });
});

let stop: (() => void) | undefined;
afterEach(() => {
  stop?.();
  document.body.replaceChildren();
});

function show(
  kinds: WecAction["kind"][],
  more: Partial<BoardProps> = {},
): { played: number[]; kept: object[]; asked: number } {
  const seen = { played: [] as number[], kept: [] as object[], asked: 0 };
  const view = create(WecViewSchema, {
    ply: 1,
    options: {},
    pieces: [
      { id: 1, seat: 0, kind: WecKind.PANZER, place: 11, hand: WecHand.RIGHT },
      { id: 2, seat: 0, kind: WecKind.JET, place: 12, articles: [{ kind: WecArticle.FLAME }] },
      { id: 3, seat: 0, kind: WecKind.CHOPPER, place: 12, hand: WecHand.LEFT },
      { id: 1001, seat: 1, kind: WecKind.KING, place: 31 },
    ],
  });
  const props: BoardProps = {
    view,
    choices: choices(...kinds),
    events: [],
    advice: [],
    seats: [],
    settings: { autoplay: true, roll: "table", flipped: false },
    kept: {},
    more: false,
    busy: false,
    say,
    onchoose: (choice) => void seen.played.push(choice.key),
    onbuild: () => undefined,
    onmore: () => void (seen.asked += 1),
    onkeep: (kept) => void seen.kept.push(kept),
    ...more,
  };
  const board = mount(WecBoard, { target: document.body, props });
  stop = () => void unmount(board);
  flushSync();
  return seen;
}

function find(id: string): Element {
  const found = document.querySelector(`[data-testid="${id}"]`);
  if (found === null) throw new Error(`there is no ${id}`);
  return found;
}

function press(id: string): void {
  find(id).dispatchEvent(new MouseEvent("click", { bubbles: true }));
  flushSync();
}

const mark = (square: string): string | null => find(`square-${square}`).getAttribute("data-mark");

test("a piece that is touched shows its targets, a target that is touched is played", () => {
  const { played } = show([move(1, 21), move(1, 31), end]);
  expect(mark("(2,2)")).toBe("candidate");
  press("square-(2,2)");
  expect([mark("(2,2)"), mark("(3,2)"), mark("(4,2)")]).toEqual(["moving", "target", "capture"]);
  press("square-(4,2)");
  expect(played).toEqual([1]);
});

test("touching a square again chooses the other piece on it", () => {
  show([move(2, 22), move(3, 32)]);
  press("square-(2,3)");
  const first = find("inspector").querySelector("[aria-pressed=true]")?.getAttribute("data-testid");
  press("square-(2,3)");
  const second = find("inspector").querySelector("[aria-pressed=true]")?.getAttribute("data-testid");
  expect([first, second]).toEqual(["piece-2", "piece-3"]);
});

test("where the square alone does not tell, the ways are offered", () => {
  const { played } = show([move(3, 132), move(3, 132, true)]);
  press("square-(2,3)");
  press("square-(4,3)");
  expect(played).toEqual([]);
  const ways = [...document.querySelectorAll("[data-testid=way]")];
  expect(ways.map((way) => way.textContent.trim())).toEqual(["board.wec.plainly", "board.wec.carry"]);
  (ways[1] as HTMLElement).click();
  expect(played).toEqual([1]);
});

test("the other button fires, and a weapon is chosen where there are several", () => {
  const { played } = show([move(2, 22), fire(2, WecArticle.SAM, 1), fire(2, WecArticle.FLAME, 1)]);
  find("square-(2,3)").dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }));
  flushSync();
  expect(find("mode-fire").getAttribute("aria-pressed")).toBe("true");
  const tools = [...document.querySelectorAll<HTMLElement>("[data-testid=tool]")];
  expect(tools.map((tool) => tool.textContent.trim())).toEqual(["article.sam", "article.flame"]);
  tools[1]?.click();
  flushSync();
  press("square-(3,3)");
  expect(played).toEqual([2]);
});

test("the Turn is ended by the bar, by its button or by its number", () => {
  const { played } = show([move(1, 21), end]);
  press("mode-end");
  find("board").dispatchEvent(new KeyboardEvent("keydown", { key: "7", bubbles: true }));
  expect(played).toEqual([1, 1]);
});

test("a spectator's board has no bar and plays nothing", () => {
  const { played } = show([]);
  expect(document.querySelector("[data-testid=bar]")).toBeNull();
  press("square-(2,2)");
  expect(find("inspector").textContent).toContain("kind.panzer");
  expect(played).toEqual([]);
});

test("the whole list is asked for where the update did not have it", () => {
  expect(show([move(1, 21)], { more: true }).asked).toBe(1);
});

test("every square says what is on it", () => {
  show([move(1, 21)]);
  expect(find("square-(2,3)").getAttribute("aria-label")).toContain("kind.jet");
  expect(find("square-(2,3)").getAttribute("aria-label")).toContain("article.flame");
  expect(find("square-(5,5)").getAttribute("aria-label")).toContain("board.wec.empty");
});

test("what the board shows is kept", () => {
  const { kept } = show([]);
  const box = find("look").querySelector("input");
  box?.click();
  expect(kept).toEqual([{ ...readPreferences({}), simple: true }]);
});

test("how much is animated is chosen and kept", () => {
  const { kept } = show([]);
  const select = find("motion") as HTMLSelectElement;
  select.value = "none";
  select.dispatchEvent(new Event("change", { bubbles: true }));
  expect(kept).toEqual([expect.objectContaining({ motion: "none" })]);
});

test("the status page tells every option in the words that the server gives", () => {
  const text = (key: string): object => ({ key, args: {} });
  const options = [
    create(OptionSpecSchema, {
      key: "stun_range",
      label: text("range"),
      group: text("weapons"),
      values: { case: "number", value: { min: 1n, max: 9n, step: 1n, preset: 9n } },
    }),
    create(OptionSpecSchema, {
      key: "movement",
      label: text("movement"),
      group: text("moving"),
      values: {
        case: "choice",
        value: { preset: 1, choices: [1, 2].map((number) => ({ number, label: text(`way ${number}`) })) },
      },
    }),
    create(OptionSpecSchema, {
      key: "doze_enemies",
      label: text("doze"),
      group: text("moving"),
      values: { case: "switch", value: { preset: true } },
    }),
  ];
  const view = create(WecViewSchema, {
    ply: 1,
    options: { stunRange: 4, movement: WecMovement.STANDARD_CHESS, dozeEnemies: false },
  });
  show([], { options, view });
  const read = (tag: string): string[] =>
    [...find("status").querySelectorAll(tag)].map((each) => each.textContent.trim());
  expect([read("h3"), read("dt"), read("dd")]).toEqual([
    ["weapons", "moving"],
    ["range", "movement", "doze"],
    ["4", "way 2", "board.wec.off"],
  ]);
});
