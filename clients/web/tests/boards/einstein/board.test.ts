/** The EinStein board does what it is told: which stone, which target, by pointer and by keys (EWN-UI-2, EWN-UI-3). */
import { create } from "@bufbuild/protobuf";
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EinsteinViewSchema } from "@brettwerk/client/v1/einstein";
import type { BoardProps, Choice } from "../../../src/boards/board";
import EinsteinBoard from "../../../src/boards/einstein/EinsteinBoard.svelte";
import { SQUARES } from "../../../src/boards/einstein/squares";

// Board X of the rule cases: Black may move stone 1 or 4 after a roll of 2.
const stones: Readonly<Record<string, number>> = { C1: 8, A2: 1, B2: 5, B3: 4, D4: 12, E4: 7, C5: 10, E5: 11 };
const moves = ["A2 A3", "A2 B2", "A2 B3", "B3 B4", "B3 C3", "B3 C4"];

function choices(from: readonly string[]): Choice[] {
  return from.map((places, key) => ({ key, places: places.split(" "), notation: places, label: places }));
}

let chosen: string[];
let built: object[];
let component: object | undefined;

function show(given: Partial<BoardProps> = {}, position: object = {}): void {
  const squares = SQUARES.map((name) => stones[name] ?? 0);
  const props: BoardProps = {
    view: create(EinsteinViewSchema, { viewerSeat: 1, position: { squares, toMove: 1, roll: 2, ...position } }),
    choices: choices(moves),
    events: [],
    advice: [],
    settings: { autoplay: true, roll: "agreed", flipped: false },
    busy: false,
    say: (key, args = {}) => [key, ...Object.values(args)].join(" "),
    onchoose: (choice) => void chosen.push(choice.notation),
    onbuild: (_type, fields) => void built.push(fields),
    seats: [],
    kept: {},
    more: false,
    onmore: () => undefined,
    onkeep: () => undefined,
    ...given,
  };
  component = mount(EinsteinBoard, { target: document.body, props });
  flushSync();
}

beforeEach(() => {
  chosen = [];
  built = [];
});
afterEach(async () => {
  if (component) await unmount(component);
  component = undefined;
});

const square = (name: string): SVGElement => {
  const found = document.querySelector<SVGElement>(`[data-testid="square-${name}"]`);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};
const press = (name: string): void => {
  square(name).dispatchEvent(new MouseEvent("click", { bubbles: true }));
  flushSync();
};
const key = (name: string, pressed: string): void => {
  square(name).dispatchEvent(new KeyboardEvent("keydown", { key: pressed, bubbles: true, cancelable: true }));
  flushSync();
};
const marked = (mark: string): string[] => SQUARES.filter((name) => square(name).dataset["mark"] === mark);

test("an own stone that would be captured is crossed and called one's own, a stone of the other side is not", () => {
  show({}, { squares: SQUARES.map((name) => (name === "A3" ? 9 : (stones[name] ?? 0))) });
  press("A2");
  const crosses = [...document.querySelectorAll<SVGElement>(".loss")];
  expect(crosses.map(({ dataset }) => dataset["square"])).toEqual(["B2", "B3"]);
  expect(square("B2").getAttribute("aria-label")).toMatch(/^board\.target\.own /);
  expect(square("A3").getAttribute("aria-label")).toMatch(/^board\.target /);
});

test("candidates are marked; the chosen stone moves, and its targets are marked, captures among them", () => {
  show();
  expect(marked("candidate")).toEqual(["A2", "B3"]);
  expect(marked("moving")).toEqual([]);
  press("A2");
  expect(marked("moving")).toEqual(["A2"]);
  expect(marked("target")).toEqual(["A3"]);
  expect(marked("capture")).toEqual(["B2", "B3"]);
  press("B2");
  expect(chosen).toEqual(["A2 B2"]);
});

test("the choice can be changed before the target is touched", () => {
  show();
  press("A2");
  press("A2");
  expect(marked("moving")).toEqual([]);
  press("B3");
  expect(marked("moving")).toEqual(["B3"]);
  press("E5");
  expect(marked("candidate")).toEqual(["A2", "B3"]);
  expect(chosen).toEqual([]);
});

test("one candidate needs no choosing", () => {
  show({ choices: choices(moves.slice(3)) });
  expect(marked("moving")).toEqual(["B3"]);
  expect(marked("target")).toEqual(["C3", "B4", "C4"]);
});

test("a stone with one target is moved by choosing it, unless the player wants to do that themselves", async () => {
  const lone = choices(["C1 B1", "C5 C4", "C5 B5"]);
  show({ choices: lone });
  press("C1");
  expect(chosen).toEqual(["C1 B1"]);
  if (component) await unmount(component);
  chosen = [];
  show({ choices: lone, settings: { autoplay: false, roll: "agreed", flipped: false } });
  press("C1");
  expect(chosen).toEqual([]);
  press("B1");
  expect(chosen).toEqual(["C1 B1"]);
});

test("keys do all that the pointer does", () => {
  show();
  square("A1").focus();
  key("A1", "ArrowDown");
  expect(document.activeElement).toBe(square("A2"));
  expect(square("A2").getAttribute("tabindex")).toBe("0");
  expect(square("A1").getAttribute("tabindex")).toBe("-1");
  key("A2", "Enter");
  expect(marked("moving")).toEqual(["A2"]);
  key("A2", "ArrowDown");
  key("A3", " ");
  expect(chosen).toEqual(["A2 A3"]);
});

test("choosing is impossible while an action is on its way, or without actions", async () => {
  show({ busy: true });
  expect(marked("candidate")).toEqual([]);
  press("A2");
  press("A3");
  if (component) await unmount(component);
  show({ choices: [] });
  press("A2");
  press("A3");
  expect(chosen).toEqual([]);
});

test("the die is shown as the player says, or as the table has agreed", async () => {
  for (const [roll, showRoll, there] of [
    ["agreed", false, false],
    ["agreed", true, true],
    ["always", false, true],
    ["never", true, false],
  ] as const) {
    show({ settings: { autoplay: true, roll, flipped: false } }, { showRoll });
    expect(document.querySelector('[data-testid="die-1"]') !== null, `${roll} ${showRoll}`).toBe(there);
    if (component) await unmount(component);
    component = undefined;
  }
});

test("each side has a die: it shows what it moves with, and afterwards what it has moved with", () => {
  const rolled = (value: number): object => ({ kind: { case: "rolled", value } });
  const moved = (seat: number): object => ({
    kind: { case: "moved", value: { seat, stone: 1, source: 0, target: 1 } },
  });
  const settings = { autoplay: true, roll: "always", flipped: false } as const;
  show({ settings, recent: [[rolled(4)], [moved(1), rolled(6)], [moved(0), rolled(2)]] });
  const die = (seat: number): HTMLElement | null => document.querySelector(`[data-testid="die-${seat}"]`);
  expect(die(0)?.dataset["roll"]).toBe("6");
  expect(die(1)?.dataset["roll"]).toBe("2");
  expect(die(0)?.getAttribute("aria-hidden")).toBe("true");
  expect(die(1)?.getAttribute("aria-label")).toBe("board.einstein.roll 2");
});

test("a chance stands where no arrow comes from", () => {
  const advice = [{ places: ["B3", "B4"], chance: 0.6 }];
  show({ choices: choices(moves.slice(3)), advice });
  const above = Number(document.querySelector(".chance")?.getAttribute("y"));
  expect(above).toBeGreaterThan(350);
  if (component) void unmount(component);
  show({ choices: choices(moves.slice(3)), advice, settings: { autoplay: true, roll: "never", flipped: true } });
  const turned = Number(document.querySelector(".chance")?.getAttribute("y"));
  expect(turned).toBeLessThan(150);
});

test("an arranging player swaps their stones and sends the arrangement", () => {
  const arranging = [{ key: 0, places: [], notation: "163524", label: "" }];
  show({ choices: arranging }, { arranging: 3, squares: Array<number>(25).fill(0) });
  press("A1");
  press("B1");
  document.querySelector<HTMLElement>('[data-testid="arrange-done"]')?.click();
  expect(built).toEqual([{ kind: { case: "arrange", value: { stones: [6, 1, 3, 5, 2, 4] } } }]);
});

test("a board seen from its other side has its squares and its keys turned", () => {
  show({ settings: { autoplay: true, roll: "agreed", flipped: true } });
  const places = [...document.querySelectorAll("[data-testid^=square-]")].map((cell) =>
    cell.getAttribute("data-testid"),
  );
  expect(places[0]).toBe("square-E5");
  expect(places.at(-1)).toBe("square-A1");
  press("C3");
  key("C3", "ArrowRight");
  expect(document.activeElement?.getAttribute("data-testid")).toBe("square-B3");
});
