/** The board of Empire Plateau does what it is narration: armies, targets with their steps, ways, the end of the turn (EP-TURN). */
import { create } from "@bufbuild/protobuf";
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PlateauActionSchema, PlateauEventSchema, PlateauViewSchema } from "@brettwerk/client/v1/plateau";
import type { BoardProps, Choice } from "../../../src/boards/board";
import PlateauBoard from "../../../src/boards/plateau/PlateauBoard.svelte";
import { graphOf } from "../../../src/boards/plateau/nodes";
import { narrate } from "../../../src/boards/plateau/narration";
import { namedFew } from "../../../src/boards/plateau/threats";

const graph = graphOf(176, true, []);
const node = (name: string): number => graph.names.indexOf(name);
const nodes = (names: string): number[] => names.split("-").map(node);

// Babylon has an emblem, a six and a two; Media-Persia a two beside the way of the six.
const armies: Readonly<Record<string, number>> = { A1: 4, D4: 3, F6: 1, E7: 5, A9: 8 };

function bits(open: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(22);
  for (const each of open) bytes[each >> 3] = (bytes[each >> 3] ?? 0) | (1 << (each & 7));
  return bytes;
}

function view(guide: object = {}, position: object = {}): unknown {
  const listed = graph.names.map((name) => armies[name] ?? 0);
  const open = bits(listed.flatMap((code, index) => (code === 0 ? [index] : [])));
  return create(PlateauViewSchema, {
    viewerSeat: 0,
    position: { seats: 2, nodes: listed, turn: { due: 6 }, ...position },
    guide: {
      bases: [node("A1"), node("A9")],
      tally: { owed: 6, smallLeft: 6, emblemLeft: 12 },
      ready: ["A1", "D4", "F6"].map(node),
      open,
      openToEmblem: open,
      ways: [{ nodes: nodes("F6-F7-E7") }],
      ...guide,
    },
  });
}

function move(key: number, source: string, target: string, steps: number): Choice {
  const value = { source: node(source), target: node(target), steps };
  const action = create(PlateauActionSchema, { kind: { case: "move", value } });
  return { key, places: [source, target], notation: `${source}..${target}/${steps}`, label: "", action };
}

const END: Choice = {
  key: 9,
  places: [],
  notation: "end",
  label: "",
  action: create(PlateauActionSchema, { kind: { case: "endTurn", value: {} } }),
};
const moves = [move(0, "D4", "D5", 1), move(1, "D4", "D6", 2), move(2, "D4", "D6", 4), move(3, "F6", "E7", 2)];

let chosen: string[];
let built: { source: number; target: number; steps: number; path: number[] }[];
let kept: Readonly<Record<string, unknown>>[];
let undone: number[];
let asked: number;
let component: object | undefined;

function show(given: Partial<BoardProps> = {}): void {
  const props: BoardProps = {
    view: view(),
    choices: moves,
    events: [],
    advice: [],
    settings: { autoplay: true, roll: "agreed", flipped: false },
    busy: false,
    say: (key, args = {}) => [key, ...Object.values(args)].join(" "),
    onchoose: (choice) => void chosen.push(choice.notation),
    onbuild: (_, fields) => void built.push((fields as { kind: { value: (typeof built)[number] } }).kind.value),
    seats: [0, 1].map((seat) => ({
      name: `empire ${seat}`,
      who: "",
      colour: "",
      computer: seat === 1,
      mine: seat === 0,
      acts: seat === 0,
    })),
    kept: {},
    more: false,
    onmore: () => {
      asked += 1;
    },
    onundo: (plies) => void undone.push(plies),
    onkeep: (changed) => void kept.push(changed),
    ...given,
  };
  component = mount(PlateauBoard, { target: document.body, props });
  flushSync();
}

beforeEach(() => {
  [chosen, built, kept, undone, asked] = [[], [], [], [], 0];
});
afterEach(async () => {
  if (component) await unmount(component);
  component = undefined;
});

function find(id: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`[data-testid="${id}"]`);
  if (!found) throw new Error(`there is no ${id}`);
  return found;
}
const there = (id: string): boolean => document.querySelector(`[data-testid="${id}"]`) !== null;
const square = (name: string): HTMLElement => find(`square-${name}`);
function press(id: string): void {
  find(id).dispatchEvent(new MouseEvent("click", { bubbles: true }));
  flushSync();
}
function key(name: string, pressed: string): void {
  square(name).dispatchEvent(new KeyboardEvent("keydown", { key: pressed, bubbles: true, cancelable: true }));
  flushSync();
}
const marked = (mark: string): string[] =>
  [...document.querySelectorAll<HTMLElement>(`[role="row"] [data-mark="${mark}"]`)].map(
    (cell) => cell.dataset["testid"]?.replace("square-", "") ?? "",
  );

test("the board is there before its words are", () => {
  show({ say: () => "" });
  expect(document.querySelector("[data-testid=board]")).not.toBeNull();
});

test("armies that can move are marked; targets tell their steps, and armies that stand there are narration apart", () => {
  show();
  expect(marked("candidate")).toEqual(["D4", "F6"]);
  press("square-D4");
  expect(marked("moving")).toEqual(["D4"]);
  expect(marked("target")).toEqual(["D5", "D6"]);
  expect([square("D5").dataset["steps"], square("D6").dataset["steps"]]).toEqual(["1", "2"]);
  expect(square("D6").getAttribute("aria-label")).toContain("2/4");
  press("square-F6");
  expect(marked("capture")).toEqual(["E7"]);
});

test("one number of steps is played at once, with the way that was shown", () => {
  show();
  press("square-F6");
  press("square-E7");
  expect(built).toEqual([{ source: node("F6"), target: node("E7"), steps: 2, path: nodes("F6-F7-E7") }]);
});

test("several numbers of steps are asked for, and each has a way of so many", () => {
  show();
  press("square-D4");
  press("square-D6");
  expect(built).toEqual([]);
  press("steps-4");
  expect(built[0]?.path).toHaveLength(5);
  expect(new Set(built[0]?.path).size).toBe(5);
  press("square-D4");
  press("square-D6");
  press("square-D6");
  expect(built[1]?.path).toEqual(nodes("D4-D5-D6"));
});

test("a way is drawn node by node, and its end touched twice sends it", () => {
  show({ kept: { draw: true } });
  press("square-D4");
  for (const name of ["E4", "E5", "E6", "F6", "E6", "D6"]) press(`square-${name}`);
  press("square-D6");
  expect(built).toEqual([{ source: node("D4"), target: node("D6"), steps: 4, path: nodes("D4-E4-E5-E6-D6") }]);
});

test("a move not offered is asked of the server, which says why", () => {
  show();
  press("square-D4");
  press("square-A9");
  expect(built).toEqual([{ source: node("D4"), target: node("A9"), steps: 8, path: [] }]);
  expect(chosen).toEqual([]);
});

test("the rest of the moves is fetched when an army is chosen", () => {
  show({ more: true, choices: moves.slice(0, 1) });
  expect(marked("candidate")).toEqual(["A1", "D4", "F6"]);
  press("square-F6");
  expect(asked).toBe(1);
  press("square-A9");
  expect(built).toEqual([]);
});

test("the turn ends when it may, and until then tells what is due", async () => {
  show();
  expect(find("end-turn").hasAttribute("disabled")).toBe(true);
  expect(find("end-turn").textContent).toContain("board.plateau.steps 6");
  if (component) await unmount(component);
  show({ choices: [END], view: view({ tally: { called: 6, owed: 0 }, ready: [] }) });
  expect(find("count-called").textContent).toBe("6");
  press("end-turn");
  expect(chosen).toEqual(["end"]);
});

const moved = (seat: number, path: string, captured = 0): unknown =>
  create(PlateauEventSchema, { kind: { case: "moved", value: { seat, army: 1, path: nodes(path), captured } } });
const ceased = (seat: number): unknown =>
  create(PlateauEventSchema, { kind: { case: "ceased", value: { seat, small: 6 } } });

test("moves of the running turn are taken back, one or all", () => {
  show({ recent: [[moved(1, "B8-B7")], [ceased(1)], [moved(0, "C4-D4")], [moved(0, "F5-F6")]], undoable: 1 });
  press("take-back");
  press("take-turn-back");
  expect(undone).toEqual([1, 2]);
});

test("the last turn is drawn as arrows with their order", () => {
  show({ recent: [[moved(0, "C4-D4")], [ceased(0)], [moved(1, "B8-B7")], [moved(1, "C7-D7-E7")], [ceased(1)]] });
  expect(document.querySelectorAll("[data-testid=board] .casing")).toHaveLength(2);
  expect([...document.querySelectorAll(".badge.made text")].map((each) => each.textContent)).toEqual(["1", "2"]);
});

test("a danger to the base is narration unless the player does not want it", async () => {
  const guide = { threats: [{ nodes: nodes("A9-A8-A7-A6-A5-A4-A3-A2-A1") }] };
  show({ view: view(guide) });
  expect(find("board-warnings").textContent).toContain("A9 (seat.1.name)");
  if (component) await unmount(component);
  show({ view: view(guide), kept: { warn: false } });
  expect(find("board-warnings").textContent).toBe("");
});

test("of many armies that can reach the base the first are named", () => {
  const armies = [1, 1, 2, 1, 2, 3].map((seat, node) => ({ seat, kind: 1, node }));
  const said = (few: typeof armies): string =>
    namedFew(
      few,
      (node) => `A${node}`,
      (seat) => `seat ${seat}`,
    );
  expect(said(armies.slice(0, 2))).toBe("A0, A1 (seat 1)");
  expect(said(armies)).toBe("A0, A1, A3 (seat 1), A2 (seat 2) +2");
});

test("the emblem after small armies is warned of", () => {
  show({
    view: view({ tally: { owed: 4, smallLeft: 4, emblemLeft: 10, emblemCloses: true } }),
    choices: [...moves, move(5, "A1", "B1", 1)],
  });
  press("square-A1");
  expect(find("board-warnings").textContent).toContain("board.plateau.closes.owed 4");
});

test("keys lead along the lines, around the board, and choose", () => {
  show();
  for (const [from, pressed, to] of [
    ["A1", "ArrowUp", "B1"],
    ["B1", "ArrowDown", "A1"],
    ["A1", "ArrowLeft", "A2"],
    ["A1", "ArrowRight", "A16"],
    ["A9", "ArrowUp", "A9"],
    ["A9", "ArrowDown", "B9"],
  ] as const) {
    square(from).focus();
    key(from, pressed);
    expect(document.activeElement, `${pressed} from ${from}`).toBe(square(to));
  }
  key("D4", "Enter");
  key("D5", " ");
  expect(chosen).toEqual(["D4..D5/1"]);
});

test("coordinates go to a node, or make a move", () => {
  show();
  const input = find("coordinates") as HTMLInputElement;
  const write = (text: string): void => {
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.form?.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
    flushSync();
  };
  write("f12");
  expect(document.activeElement).toBe(square("F12"));
  write("D4 D6/4");
  expect(built[0]).toMatchObject({ source: node("D4"), target: node("D6"), steps: 4 });
  write("Z9");
  expect(document.body.textContent).toContain("board.plateau.find.none Z9");
});

test("the board is unrolled and rolled up as the player wants", async () => {
  show({ kept: { layout: "unrolled" } });
  expect(find("board").classList.contains("unrolled")).toBe(true);
  expect(document.querySelectorAll(".again .node")).toHaveLength(4 * 11);
  if (component) await unmount(component);
  show();
  expect(find("board").classList.contains("round")).toBe(true);
  const select = find("layout") as HTMLSelectElement;
  select.value = "unrolled";
  select.dispatchEvent(new Event("change", { bubbles: true }));
  expect(kept).toEqual([{ layout: "unrolled", draw: false, warn: true }]);
});

test("choosing is impossible while an action is on its way or when it is another's turn", async () => {
  show({ busy: true });
  expect(marked("candidate")).toEqual([]);
  if (component) await unmount(component);
  show({ choices: [], view: view({ ready: [] }, { toMove: 1 }) });
  press("square-D4");
  expect([marked("candidate"), built, there("end-turn")]).toEqual([[], [], false]);
  expect(find("board-hint").textContent).toContain("empire 1");
});

test("a fallen empire is said to be one", () => {
  show({ view: view({}, { fallen: [1] }) });
  expect(find("empire-1").textContent).toContain("board.plateau.fallen");
  expect(document.querySelectorAll(".base.fallen")).toHaveLength(1);
});

test("the events of a ply are narration in words", () => {
  const say = (name: string, args: Readonly<Record<string, string>> = {}): string =>
    [name, ...Object.values(args)].join(" ");
  const narration = narrate([moved(1, "E7-E6-F6", 1)], say, () => view());
  expect(narration).toEqual({ action: "choice.capture army.1.two E7 F6 2", after: "", captures: true });
  const fell = create(PlateauEventSchema, {
    kind: { case: "fell", value: { seat: 2, conquerorSeat: 0, inherited: 7 } },
  });
  expect(narrate([fell], say, () => view()).after).toBe("board.plateau.narration.inherited seat.2.name seat.0.name 7");
});

test("the last turns of a long game are spoken of", () => {
  show({ view: view({}, { turns: 1900 }) });
  expect(document.querySelector('[data-testid="board-warnings"]')?.textContent).not.toContain("limit");
  if (component) void unmount(component);
  show({ view: view({}, { turns: 1996 }) });
  expect(document.querySelector('[data-testid="board-warnings"]')?.textContent).toContain("board.plateau.limit");
});
