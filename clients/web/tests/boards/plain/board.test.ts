/** The plain board plays any game from its actions: by places, by buttons, or written. */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { flushSync, mount, unmount, type ComponentProps } from "svelte";
import { afterEach, expect, test } from "vitest";
import {
  type Board,
  BoardSchema,
  Effect,
  NarrationSchema,
  SceneSchema,
  Shape,
  Tiling,
} from "@brettwerk/client/v1/games";
import type { Choice } from "../../../src/boards/board";
import PlainBoard from "../../../src/boards/plain/PlainBoard.svelte";

let component: object | undefined;
let chosen: number[] = [];
let written: string[] = [];

type More = Partial<ComponentProps<typeof PlainBoard>>;

function show(
  rows: number,
  choices: Choice[],
  drawn: MessageInitShape<typeof SceneSchema> = {},
  more: More = {},
): void {
  chosen = [];
  written = [];
  const places = ["A1", "B1", "A2", "B2"].map((name, index) => ({
    name,
    row: Math.floor(index / 2),
    column: index % 2,
    label: { key: `place ${name}` },
  }));
  component = mount(PlainBoard, {
    target: document.body,
    props: {
      scene: create(SceneSchema, { rows, columns: rows === 0 ? 0 : 2, places, ...drawn }),
      colours: [],
      choices,
      busy: false,
      flipped: false,
      say: (key: string) => key,
      onchoose: (choice: Choice) => void chosen.push(choice.key),
      onwrite: (notation: string) => {
        written.push(notation);
        return Promise.resolve(notation !== "wrong");
      },
      ...more,
    },
  });
  flushSync();
}

afterEach(async () => {
  if (component) await unmount(component);
  component = undefined;
});

const place = (name: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-testid="square-${name}"]`);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};
const listed = (): (string | undefined)[] =>
  [...document.querySelectorAll('[data-testid="choice"]')].map((each) => each.textContent.trim());
const press = (name: string): void => {
  place(name).click();
  flushSync();
};

const choices: Choice[] = [
  { key: 0, places: ["A1", "B1"], notation: "a1-b1", label: "" },
  { key: 1, places: ["A1", "A2"], notation: "a1-a2", label: "down" },
  { key: 2, places: ["B1", "B2"], notation: "b1-b2", label: "" },
  { key: 3, places: [], notation: "pass", label: "" },
];

const mark = (name: string): string | undefined => place(name).dataset["mark"];

test("places lead to an action, and the last one plays it", () => {
  show(2, choices);
  expect(["A1", "B1", "A2"].map(mark)).toEqual(["candidate", "candidate", undefined]);
  press("A1");
  expect(["A1", "B1", "A2"].map(mark)).toEqual(["moving", "target", "target"]);
  press("A2");
  expect(chosen).toEqual([1]);
});

test("an action has a button only where no place leads to it, which stays while places are touched", () => {
  show(2, choices);
  expect(listed()).toEqual(["pass"]);
  press("A1");
  expect(listed()).toEqual(["pass"]);
  document.querySelector<HTMLElement>('[data-testid="choice"]')?.click();
  expect(chosen).toEqual([3]);
});

test("many actions of one kind are a list below the board, and a call is next to it", () => {
  const bids = Array.from({ length: 70 }, (_, key) => ({
    key,
    places: [],
    notation: `bid ${key}`,
    label: "",
    kind: "bid",
  }));
  show(2, [...bids, { key: 70, places: [], notation: "liar", label: "", kind: "liar" }]);
  const calls = document.querySelector('[data-testid="calls"]');
  expect(calls?.textContent.trim()).toBe("liar");
  expect(listed()).toHaveLength(61);
  expect(document.body.textContent).toContain("board.more");
});

test("captures and the last move are marked, and areas of others lie above the board", () => {
  const areas = [
    { label: { key: "own" }, places: ["A2"], ownerSeat: 0 },
    { label: { key: "other" }, places: ["B2"], ownerSeat: 1 },
  ];
  const takes: Choice = { key: 0, places: ["A1", "B1"], notation: "", label: "", effects: [Effect.TAKES] };
  show(1, [takes], { areas }, { own: [0], moved: new Set(["B1"]) });
  press("A1");
  expect(mark("B1")).toBe("capture");
  expect(place("B1").dataset["moved"]).toBe("");
  expect(place("B1").textContent).toContain("board.next");
  const labels = [...document.querySelectorAll('[role="grid"]')].map((each) => each.getAttribute("aria-label"));
  expect(labels).toEqual(["other", "board.plain", "own"]);
});

test("dice, cards, piles, stacks and hexagons look like what they are", () => {
  const things = [
    { mark: "5", shape: Shape.DIE },
    { mark: "", shape: Shape.DIE },
    { mark: "7♥", shape: Shape.CARD },
    { mark: "", shape: Shape.CARD, count: 38 },
  ];
  const places = [
    { name: "A1", row: 0, column: 0, things },
    { name: "B1", row: 0, column: 2, things: [{ mark: "w" }, { mark: "b" }], stacked: true },
    { name: "A2", row: 1, column: 1 },
  ];
  show(2, [], { places, columns: 5, tiling: Tiling.HEXAGONS });
  expect(document.querySelectorAll(".die circle")).toHaveLength(5);
  expect(document.querySelectorAll(".die.covered")).toHaveLength(1);
  expect(document.querySelector(".card.red")?.textContent).toBe("7♥");
  expect(document.querySelector(".card.back")?.parentElement?.textContent.trim()).toBe("38");
  expect(document.querySelectorAll(".stacked > .place")).toHaveLength(2);
  expect(document.querySelectorAll(".hexagons .edge")).toHaveLength(3);
});

test("a story has sentences and the things that were seen, for the ear as well", () => {
  const things = [2, 5].map((die) => ({ mark: String(die), shape: Shape.DIE, label: { key: `die ${die}` } }));
  const narrations = [create(NarrationSchema, { text: { key: "shown" }, things })];
  show(2, [], {}, { story: [{ key: "1", seat: 0, text: "Red: lie", narrations }] });
  const story = document.querySelector('[data-testid="story"]');
  expect(story?.textContent).toContain("Red: lie");
  expect(story?.textContent).toContain("shown");
  expect(story?.querySelector('[role="img"]')?.getAttribute("aria-label")).toBe("die 2, die 5");
});

test("of several that told what was seen, only the newest draws it", () => {
  const narrations = [create(NarrationSchema, { things: [{ mark: "2", shape: Shape.DIE, label: { key: "die 2" } }] })];
  const earlier = ["1", "2"].map((key) => ({ key, seat: 0, text: key, narrations }));
  show(2, [], {}, { story: [...earlier, { key: "3", seat: 1, text: "3", narrations: [] }] });
  const lines = [...document.querySelectorAll('[data-testid="story"] li')];
  expect(lines.map((line) => line.querySelectorAll('[role="img"]').length)).toEqual([0, 1, 0]);
});

test("writing seeks in the list, and written notation can be played", async () => {
  show(2, choices);
  const input = document.querySelector<HTMLInputElement>('[data-testid="notation-input"]');
  if (!input) throw new Error("there is nothing to write into");
  const write = (text: string): void => {
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    flushSync();
  };
  write("A1 - ");
  expect(listed()).toEqual(["pass", "a1-b1", "down"]);
  write("wrong");
  input.form?.requestSubmit();
  await Promise.resolve();
  flushSync();
  expect(input.value).toBe("wrong");
  write("a1-b1");
  input.form?.requestSubmit();
  await new Promise((resolve) => setTimeout(resolve));
  flushSync();
  expect(written).toEqual(["wrong", "a1-b1"]);
  expect(input.value).toBe("");
});

test("an action that others share its places with gets a button with the touch", () => {
  show(2, [
    { key: 0, places: ["A1"], notation: "stay", label: "" },
    { key: 1, places: ["A1", "B1"], notation: "go", label: "" },
  ]);
  expect(listed()).toEqual([]);
  press("A1");
  expect(chosen).toEqual([]);
  expect(listed()).toEqual(["stay"]);
});

test("the focus moves over a grid and over a list", async () => {
  for (const [rows, pressed, reached] of [
    [2, "ArrowRight", "B1"],
    [2, "ArrowDown", "A2"],
    [0, "ArrowDown", "B1"],
  ] as const) {
    show(rows, choices);
    place("A1").focus();
    place("A1").dispatchEvent(new KeyboardEvent("keydown", { key: pressed, bubbles: true }));
    expect(document.activeElement).toBe(place(reached));
    if (component) await unmount(component);
    component = undefined;
  }
});

/** Returns the four places as a map, the first two as triangles. */
function map(): Board {
  return create(BoardSchema, {
    width: 100,
    height: 100,
    places: ["A1", "B1", "A2", "B2"].map((name, number) => ({
      number,
      name,
      x: 20 + 60 * (number % 2),
      y: 20 + 60 * Math.floor(number / 2),
      label: { key: `name ${name}` },
      outlines: number < 2 ? [{ points: [0, 0, 10, 0, 5, 10] }] : [],
    })),
  });
}

test("places that lie on a map are drawn there, and touched in turn", () => {
  show(0, choices, {}, { map: map() });
  expect(document.querySelector('[data-testid="map"]')).not.toBeNull();
  expect(place("A1").querySelector("path")).not.toBeNull();
  expect(place("B2").querySelector("circle")).not.toBeNull();
  expect(place("A1").dataset["place"]).toBe("A1");
  expect(place("A1").dataset["mark"]).toBe("candidate");
  place("A1").dispatchEvent(new MouseEvent("click", { bubbles: true }));
  flushSync();
  expect(place("A1").getAttribute("aria-pressed")).toBe("true");
  expect(place("B1").dataset["mark"]).toBe("target");
  place("B1").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  flushSync();
  expect(chosen).toEqual([0]);
});

test("arrow keys go over the map", () => {
  show(0, choices, {}, { map: map() });
  place("A1").focus();
  place("A1").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  flushSync();
  expect(document.activeElement).toBe(place("B1"));
  expect(place("B1").getAttribute("tabindex")).toBe("0");
});

test("a board that lies in rows is drawn in rows", () => {
  show(2, choices, {}, { map: map() });
  expect(document.querySelector('[data-testid="map"]')).toBeNull();
});
