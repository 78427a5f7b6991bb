/** The board of Weaponized Chess shows what it is told, and plays what is touched. */
import { create } from "@bufbuild/protobuf";
import { OptionSpecSchema } from "@brettwerk/client/v1/games";
import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, test } from "vitest";
import { WecArticle, WecHand, WecKind, WecMovement, WecViewSchema, type WecAction } from "@brettwerk/client/v1/wec";
import type { BoardProps } from "../../../src/boards/board";
import { readPreferences } from "../../../src/boards/wec/preferences";
import WecBoard from "../../../src/boards/wec/WecBoard.svelte";
import { choices, end, fire, given, move } from "./actions";

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
