/** The plain board plays any game from its actions: by places, or from the list. */
import { create } from "@bufbuild/protobuf";
import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, test } from "vitest";
import { SceneSchema } from "@brettwerk/client/v1/games";
import type { Choice } from "../../../src/boards/board";
import PlainBoard from "../../../src/boards/plain/PlainBoard.svelte";

let component: object | undefined;
let chosen: number[] = [];
let written: string[] = [];

function show(rows: number, choices: Choice[]): void {
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
      scene: create(SceneSchema, { rows, columns: rows === 0 ? 0 : 2, places }),
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

test("touching places narrows the list, and the last place plays the action", () => {
  show(2, choices);
  expect(listed()).toEqual(["a1-b1", "down", "b1-b2", "pass"]);
  press("A1");
  expect(listed()).toEqual(["a1-b1", "down"]);
  press("A2");
  expect(chosen).toEqual([1]);
});

test("an action can be chosen from the list", () => {
  show(2, choices);
  document.querySelectorAll<HTMLElement>('[data-testid="choice"]')[3]?.click();
  expect(chosen).toEqual([3]);
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
  expect(listed()).toEqual(["a1-b1", "down"]);
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

test("an action that others share its places with is chosen from the list only", () => {
  show(2, [
    { key: 0, places: ["A1"], notation: "stay", label: "" },
    { key: 1, places: ["A1", "B1"], notation: "go", label: "" },
  ]);
  press("A1");
  expect(chosen).toEqual([]);
  expect(listed()).toEqual(["stay", "go"]);
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
