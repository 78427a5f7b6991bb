/** The board of Weaponized Chess shows what it is told, and plays what is touched. */
import { create } from "@bufbuild/protobuf";
import { Effect, OptionSpecSchema } from "@brettwerk/client/v1/games";
import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, test } from "vitest";
import { WecArticle, WecHand, WecKind, WecMovement, WecViewSchema, type WecAction } from "@brettwerk/client/v1/wec";
import type { BoardProps } from "../../../src/boards/board";
import { readPreferences } from "../../../src/boards/wec/preferences";
import WecBoard from "../../../src/boards/wec/WecBoard.svelte";
import { choices, doing, end, fire, give, given, move, pickUp, travel } from "./actions";

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
    ...given(view),
    choices: choices(...kinds),
    onchoose: (choice) => void seen.played.push(choice.key),
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
  const listed = doing(choices(move(1, 21), move(1, 31), end), { 1: [Effect.TAKES, Effect.ON_GROUND] });
  const { played } = show([], { choices: listed });
  expect(mark("(2,2)")).toBe("candidate");
  press("square-(2,2)");
  expect([mark("(2,2)"), mark("(3,2)"), mark("(4,2)")]).toEqual(["moving", "target", "capture"]);
  press("square-(4,2)");
  expect(played).toEqual([1]);
});

const chosen = (): string | null | undefined =>
  find("inspector").querySelector("[aria-pressed=true]")?.getAttribute("data-testid");

test("touching a square again chooses the other piece on it, and never does more, however often", () => {
  const up = doing(choices(move(2, 22), move(2, 112), move(3, 32), move(3, 112)), {
    1: [Effect.TAKES_OFF, Effect.IN_AIR],
    3: [Effect.TAKES_OFF, Effect.IN_AIR],
  });
  const { played } = show([], { choices: up });
  const seen = Array.from({ length: 4 }, () => {
    press("square-(2,3)");
    return chosen();
  });
  expect(seen).toEqual(["piece-2", "piece-3", "piece-2", "piece-3"]);
  expect(played).toEqual([]);
  expect(find("board-hint").textContent).toContain("board.wec.hint.again");
  expect(mark("(2,3)")).toBe("rises");
  expect(find("near").textContent.trim()).toBe("board.wec.lift.takes_off");
  press("near");
  expect(played).toEqual([3]);
});

test("where a piece stands alone, its own square is marked as the way up or down, and touching it again takes that", () => {
  const { played } = show([], {
    choices: doing(choices(move(1, 21), move(1, 211)), { 1: [Effect.DIVES, Effect.UNDER_WATER] }),
  });
  press("square-(2,2)");
  expect(mark("(2,2)")).toBe("sinks");
  expect(find("square-(2,2)").getAttribute("aria-label")).toContain("board.wec.mark.sinks");
  expect(find("board-hint").textContent).toContain("board.wec.hint.dives");
  press("square-(2,2)");
  expect(played).toEqual([1]);
});

test("only a taken piece is marked as taken: neither the receiver of a gift nor a landing place is", () => {
  const given = show([give(1, WecArticle.FLAME, 2)]);
  press("square-(2,2)");
  expect([mark("(2,3)"), given.played]).toEqual(["target", []]);
});

test.each([
  [Effect.CRASHES, "board.wec.hint.crashes", "board.wec.crashes"],
  [Effect.BLOCKED, "board.wec.hint.blocked", "board.wec.blocked"],
])(
  "a way that fails has a mark of its own, is explained, and is gone only when it is said twice: %s",
  (fails, hint, why) => {
    const ways = choices(travel(1, WecArticle.SCUBA, 31), travel(1, WecArticle.SCUBA, 41));
    const { played } = show([], { choices: doing(ways, { 0: [fails], 1: [Effect.ON_GROUND] }) });
    press("square-(2,2)");
    expect([mark("(4,2)"), mark("(5,2)")]).toEqual(["warning", "target"]);
    press("square-(4,2)");
    expect(played).toEqual([]);
    expect(find("board-hint").textContent).toContain(hint);
    expect(find("way").textContent).toContain(why);
    press("way");
    expect(played).toEqual([0]);
  },
);

test("ways to several levels are told apart by what the rules say, not by their notation", () => {
  const listed = doing(choices(move(3, 32), move(3, 132), move(3, 32, true), move(3, 132, true)), {
    0: [Effect.ON_GROUND],
    1: [Effect.TAKES_OFF, Effect.IN_AIR],
    2: [Effect.ON_GROUND],
    3: [Effect.TAKES_OFF, Effect.IN_AIR],
  });
  show([], { choices: listed.map((each) => ({ ...each, notation: "MV:CH(2,3)>->^(4,3)-TRA->JE(2,3)(4,3)" })) });
  press("square-(2,3)");
  press("square-(4,3)");
  const words = [...document.querySelectorAll("[data-testid=way]")].map((way) => way.textContent.trim());
  expect(words).toEqual([
    "board.wec.plainly · board.wec.level.ground",
    "board.wec.plainly · board.wec.level.air",
    "board.wec.carry · board.wec.level.ground",
    "board.wec.carry · board.wec.level.air",
  ]);
});

test("the one article that can be picked up takes one press", () => {
  const { played } = show([move(1, 21), pickUp(1, WecArticle.FLAME), end]);
  press("mode-pick_up");
  expect(played).toEqual([1]);
});

test("of several pieces, the touched one picks up the only article under it at once", () => {
  const { played } = show([pickUp(1, WecArticle.FLAME), pickUp(2, WecArticle.STUN), end]);
  press("mode-pick_up");
  expect(played).toEqual([]);
  press("square-(2,3)");
  expect(played).toEqual([1]);
});

test("a choice begun and not picked up is not lost with the Turn without a word", () => {
  const { played } = show([pickUp(1, WecArticle.FLAME), pickUp(1, WecArticle.STUN), end]);
  press("mode-pick_up");
  press("square-(2,2)");
  press("mode-end");
  expect(played).toEqual([]);
  expect(find("board-hint").textContent).toContain("board.wec.hint.half.pick_up");
  press("mode-end");
  expect(played).toEqual([2]);
});

test("articles on the Ground are told apart from carried ones, and every article is explained", () => {
  const view = create(WecViewSchema, {
    ply: 1,
    pieces: [{ id: 1, seat: 0, kind: WecKind.STUN_PAWN, place: 11, articles: [{ kind: WecArticle.BIKE }] }],
    ground: [{ square: 11, articles: [{ kind: WecArticle.ROCKET }] }],
  });
  show([], { view });
  press("square-(2,2)");
  const text = find("inspector").textContent;
  const order = ["article.bike", "about.article.bike", "board.wec.ground", "article.rocket", "about.article.rocket"];
  const places = order.map((key) => text.indexOf(key));
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(Math.min(...places)).toBeGreaterThan(-1);
});

test("one Turn is one Turn", () => {
  const view = create(WecViewSchema, {
    ply: 1,
    pieces: [
      { id: 1, seat: 0, kind: WecKind.STUN_PAWN, place: 11, turnsStunned: 1, turnsFirst: 1 },
      { id: 2, seat: 0, kind: WecKind.STUN_PAWN, place: 13, turnsStunned: 2, turnsFirst: 2 },
    ],
  });
  show([], { view });
  const [one, two] = ["(2,2)", "(2,4)"].map((name) => find(`square-${name}`).getAttribute("aria-label"));
  expect(one).toContain("board.wec.stunned.one 1, board.wec.wait.one 1");
  expect(two).toContain("board.wec.stunned 2, board.wec.wait 2");
});

test("where the square alone does not narrate, the ways are offered", () => {
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

test("the look of the board is kept", () => {
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
  // It is not kept up to date while nobody reads it.
  Object.assign(find("status"), { open: true }).dispatchEvent(new Event("toggle"));
  flushSync();
  const read = (tag: string): string[] =>
    [...find("status").querySelectorAll(tag)].map((each) => each.textContent.trim());
  expect([read("h3"), read("dt"), read("dd")]).toEqual([
    ["weapons", "moving"],
    ["range", "movement", "doze"],
    ["4", "way 2", "board.wec.off"],
  ]);
});
