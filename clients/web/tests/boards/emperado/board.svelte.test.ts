/** EMPERADO's board does what it is told: place, attack and move by touch and by keys, with odds before (EMP-UI). */
import { create } from "@bufbuild/protobuf";
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  EmperadoActionSchema,
  EmperadoEventSchema,
  EmperadoViewSchema,
  type EmperadoAction,
} from "@brettwerk/client/v1/emperado";
import type { BoardProps, Choice } from "../../../src/boards/board";
import EmperadoBoard from "../../../src/boards/emperado/EmperadoBoard.svelte";
import { COUNTRIES } from "../../../src/boards/emperado/world";

/** Whether nothing is to move, as for somebody who wants that. */
const motion = vi.hoisted(() => ({ still: true }));
/** How often the map was moved to a country. */
const moves = vi.hoisted(() => ({ made: 0 }));
vi.mock(import("../../../src/boards/emperado/camera"), async (original) => {
  const real = await original();
  return {
    ...real,
    show: (...given) => {
      if (++moves.made > 100) throw new Error("the map moves by itself");
      return real.show(...given);
    },
  };
});
vi.mock(import("../../../src/boards/animation"), async (original) => ({
  ...(await original()),
  still: () => motion.still,
}));

const of = (name: string): number => COUNTRIES.findIndex(({ notation }) => notation === name);
const [peru, brasilien, bolivien] = [of("Peru"), of("Brasilien"), of("Bolivien")];

function choicesOf(...kinds: EmperadoAction["kind"][]): Choice[] {
  return kinds.map((kind, key) => ({
    key,
    places: [],
    notation: String(key),
    label: String(key),
    action: create(EmperadoActionSchema, { kind }),
  }));
}

const placing = choicesOf({ case: "place", value: { country: peru, armies: 1 } as never });
const acting = choicesOf(
  { case: "done", value: {} as never },
  { case: "attack", value: { source: peru, target: bolivien, throws: 0 } as never },
  { case: "move", value: { source: peru, target: brasilien, armies: 7 } as never },
);

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

let built: unknown[];
let chosen: number[];
let kept: Record<string, unknown>;
let did: string[];
let component: object | undefined;

function show(
  choices: readonly Choice[],
  position: object = {},
  given: Partial<BoardProps> = {},
): Writable<BoardProps> {
  const owners = COUNTRIES.map((_, country) => (country === peru || country === brasilien ? 1 : 2));
  const armies = COUNTRIES.map((_, country) => (country === peru ? 8 : 3));
  const outlooks = [
    {
      source: peru,
      target: bolivien,
      series: [
        { throws: 1, win: 0.14, attackersLost: 1.9, defendersLost: 1.1 },
        { throws: 0, win: 0.83, attackersLost: 3, defendersLost: 2.8 },
      ],
    },
  ];
  const parties = [
    { riders: 2, soldiers: 1 },
    { hidden: 3, fresh: true },
  ];
  const seats = ["A", "B"].map((name, seat) => ({
    name,
    who: name,
    colour: seat === 0 ? "#c8402f" : "#2f6fc8",
    computer: seat === 1,
    mine: seat === 0,
    acts: seat === 0,
  }));
  const props: Writable<BoardProps> = $state({
    view: create(EmperadoViewSchema, {
      viewerSeat: 0,
      outlooks,
      position: { owners, armies, parties, round: 2, cardBonus: 4, options: {}, ...position },
    }),
    choices,
    events: [],
    recent: [],
    advice: [],
    settings: { autoplay: true, roll: "agreed", flipped: false },
    busy: false,
    say: (key, args = {}) => [key, ...Object.values(args)].join(" "),
    seats,
    kept,
    more: false,
    onchoose: (choice) => void chosen.push(choice.key),
    onbuild: (_, fields) => void built.push((fields as { kind: { value: object; case: string } }).kind),
    onmore: () => void did.push("more"),
    onundo: (plies) => void did.push(`undo ${plies}`),
    ongo: () => void did.push("go"),
    onrest: () => void did.push("rest"),
    onkeep: (now) => void Object.assign(kept, now),
    ...given,
  });
  component = mount(EmperadoBoard, { target: document.body, props });
  flushSync();
  const list = find("countries") as HTMLDetailsElement;
  list.open = true;
  list.dispatchEvent(new Event("toggle"));
  flushSync();
  return props;
}

beforeEach(() => {
  [built, chosen, kept, did] = [[], [], {}, []];
  moves.made = 0;
});
afterEach(async () => {
  if (component) await unmount(component);
  component = undefined;
});

function find(testid: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`[data-testid="${testid}"]`);
  if (!found) throw new Error(`there is no ${testid}`);
  return found;
}
/** TouchQueue a country on the map, as the browser tells it: what lies under the pointer is asked for. */
function touch(name: string, init: PointerEventInit = {}): void {
  const country = find(`country-${name}`);
  document.elementFromPoint = () => country;
  for (const type of ["pointerdown", "pointerup"]) {
    country.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, pointerType: "mouse", ...init }));
  }
  flushSync();
}
function click(testid: string): void {
  find(testid).click();
  flushSync();
}
function key(name: string, target: EventTarget = document.body, init: KeyboardEventInit = {}): void {
  target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...init }));
  flushSync();
}
const label = (name: string): string => find(`listed-${name}`).textContent.trim();

test.each([
  [{}, 1],
  [{ button: 2 }, 5],
  [{ shiftKey: true }, 9],
])("a touch places as many armies as the manual says, and never more than are left: %o", (init, armies) => {
  show(placing, { toPlace: 9 });
  touch("Peru", init);
  expect(built).toEqual([{ case: "place", value: { country: peru, armies } }]);
});

test("an enlarged map moves to each country that gets the focus in the list, and stays where it was moved", () => {
  show(placing, { toPlace: 9 });
  const shown = (): string | null => document.querySelector("[data-testid=board] svg")?.getAttribute("viewBox") ?? null;
  for (let times = 0; times < 4; times++) click("zoom-in");
  click("list-all");
  const seen = ["Alaska", "Japan", "Peru"].map((name) => {
    find(`listed-${name}`).focus();
    flushSync();
    return shown();
  });
  expect(new Set(seen).size).toBe(3);
  expect(moves.made).toBe(3);
  click("zoom-in");
  expect(shown()).not.toBe(seen[2]);
});

test("a country that nothing can be done with does nothing", () => {
  show(placing, { toPlace: 9 });
  touch("Bolivien");
  touch("Alaska");
  expect(built).toEqual([]);
});

test("an attack is two touches, and its odds are there before the second", () => {
  show(acting);
  touch("Peru");
  expect(document.querySelector(".plated .chance")?.textContent).toBe("country.bolivien 83 %");
  expect(find("country-Bolivien").dataset["mark"]).toBe("capture");
  expect(find("country-Brasilien").dataset["mark"]).toBe("target");
  touch("Bolivien");
  expect(built).toEqual([{ case: "attack", value: { source: peru, target: bolivien, throws: 1 } }]);
});

test.each([
  [{}, 1],
  [{ button: 2 }, 5],
  [{ shiftKey: true }, 20],
  [{ button: 2, shiftKey: true }, 100],
])("an attack is as many throws as the manual says: %o (EMP-ATTACK-3)", (init, throws) => {
  show(acting);
  touch("Peru");
  touch("Bolivien", init);
  expect(built).toEqual([{ case: "attack", value: { source: peru, target: bolivien, throws } }]);
});

test("a device that kept something else before still throws once, and keeps only what was chosen", () => {
  // Earlier boards kept their presets with whatever was changed.
  kept = { placing: 1, acting: "all", pills: true };
  show(acting);
  touch("Peru");
  touch("Bolivien");
  expect(built).toEqual([{ case: "attack", value: { source: peru, target: bolivien, throws: 1 } }]);
  click("amount-5");
  expect(kept).toEqual({ placing: 1, acting: "all", pills: true, doing: 5 });
});

test("an attack stays chosen after a throw that does not take the country", () => {
  const props = show(acting);
  touch("Peru", { pointerType: "touch" });
  touch("Bolivien", { pointerType: "touch" });
  touch("Bolivien", { pointerType: "touch" });
  expect(built).toHaveLength(1);
  const value = { seat: 0, source: peru, target: bolivien, throws: 1, attackers: 8, attackersLost: 1, defenders: 3 };
  props.events = [create(EmperadoEventSchema, { kind: { case: "fought", value: value as never } })];
  flushSync();
  expect(find("board-hint").textContent).toBe("country.peru 8 → country.bolivien 3");
  touch("Bolivien", { pointerType: "touch" });
  expect(built).toHaveLength(2);
});

test("a finger sees the odds of a series before it commits", () => {
  show(acting);
  touch("Peru", { pointerType: "touch" });
  touch("Bolivien", { pointerType: "touch" });
  expect(built).toEqual([]);
  expect(find("act-1").textContent).toContain("14 %");
  click("act-1");
  expect(built).toEqual([{ case: "attack", value: { source: peru, target: bolivien, throws: 1 } }]);
});

test("a drag moves as many armies as a click", () => {
  show(acting);
  const [from, to] = [find("country-Peru"), find("country-Brasilien")];
  const init = { bubbles: true, pointerId: 1, pointerType: "mouse" };
  HTMLElement.prototype.setPointerCapture = () => undefined;
  document.elementFromPoint = () => from;
  from.dispatchEvent(new PointerEvent("pointerdown", { ...init, clientX: 10, clientY: 10 }));
  from.dispatchEvent(new PointerEvent("pointermove", { ...init, clientX: 60, clientY: 10 }));
  document.elementFromPoint = () => to;
  to.dispatchEvent(new PointerEvent("pointerup", { ...init, clientX: 60, clientY: 10 }));
  flushSync();
  expect(built).toEqual([{ case: "move", value: { source: peru, target: brasilien, armies: 1 } }]);
});

test("countries that may act have a star, blocked ones a mark, and both are spoken", () => {
  show(acting, { blocked: [brasilien] });
  click("list-all");
  expect(label("Peru")).toBe("active.peru A 8");
  expect(label("Brasilien")).toBe("armies.brasilien A 3, board.emperado.blocked");
  expect(document.querySelectorAll(".pill.star")).toHaveLength(1);
  expect(document.querySelectorAll(".pill .bar")).toHaveLength(1);
});

test("the list plays by keyboard alone and speaks the odds", () => {
  show(acting);
  key("Enter", find("listed-Peru"));
  expect(label("Peru")).toContain("board.picked");
  expect(label("Bolivien")).toContain("board.emperado.attack.odds 83 %");
  key("Enter", find("listed-Bolivien"), { shiftKey: true });
  expect(built).toEqual([{ case: "attack", value: { source: peru, target: bolivien, throws: 20 } }]);
  key("Escape");
  expect(document.querySelector('[data-mark="moving"]')).toBeNull();
});

test("the turn ends by its button only", () => {
  show(acting);
  click("done");
  expect(chosen).toEqual([0]);
});

test("the conqueror says how many armies move in", () => {
  const entering = [2, 5, 7].map((armies) => ({ case: "enter" as const, value: { armies } as never }));
  show(choicesOf(...entering), { entry: { source: peru, target: bolivien, least: 2 } });
  const slider = find("enter-armies") as HTMLInputElement;
  expect([slider.min, slider.max, slider.value]).toEqual(["2", "7", "7"]);
  slider.value = "4";
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  flushSync();
  click("enter-go");
  expect(built).toEqual([{ case: "enter", value: { armies: 4 } }]);
});

test("sets of cards are turned in by their buttons", () => {
  const exchange = choicesOf(
    { case: "exchange", value: { set: 1 } as never },
    ...placing.map(() => placing[0]?.action as EmperadoAction).map(({ kind }) => kind),
  );
  show(exchange, { toPlace: 3, exchanging: true });
  click("exchange");
  expect(chosen).toEqual([0]);
});

test("the keys of the original take back, hide cards, and tell of moves", () => {
  show(acting, {}, { undoable: 1 });
  key("R", document.body, { shiftKey: true });
  expect(did).toEqual(["undo 1"]);
  expect(find("own-cards").textContent).toContain("2");
  key("K", document.body, { shiftKey: true });
  expect(kept["hidden"]).toBe(true);
  key("B", document.body, { shiftKey: true });
  expect(kept["moves"]).toBe(true);
});

/** Shows an attack of two throws by which Peru loses one army and Bolivien two, of which one is left. */
function showAttack(): void {
  const last = [
    { attacker: [6, 2], defender: [5, 4] },
    { attacker: [4, 1], defender: [3] },
  ];
  const value = { seat: 0, source: peru, target: bolivien, defenderSeat: 1, throws: 2, last };
  const counts = { attackers: 9, attackersLost: 1, defenders: 5, defendersLost: 2 };
  const fought = create(EmperadoEventSchema, { kind: { case: "fought", value: { ...value, ...counts } as never } });
  show(acting, {}, { events: [fought] });
}
const armiesOf = (country: number): string =>
  document.querySelector(`.pill[data-country="${country}"] .count`)?.textContent ?? "";

test("an attack shows its dice and the losses of both sides, until something is touched", () => {
  showAttack();
  expect(find("dice-attacker").dataset["eyes"]).toBe("4 1");
  expect(find("dice-defender").dataset["eyes"]).toBe("3");
  expect(find(`lost-${peru}`).textContent).toContain("−1");
  expect(find(`lost-${bolivien}`).textContent).toContain("−2");
  touch("Alaska");
  expect(document.querySelector("[data-testid=battle]")).toBeNull();
});

describe("the film of an attack", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    motion.still = false;
  });
  afterEach(() => {
    vi.useRealTimers();
    motion.still = true;
  });

  test("counts armies down with its throws, and is over soon", () => {
    showAttack();
    expect([armiesOf(peru), armiesOf(bolivien)]).toEqual(["9", "5"]);
    vi.advanceTimersByTime(330);
    flushSync();
    expect([armiesOf(peru), armiesOf(bolivien)]).toEqual(["8", "4"]);
    expect(find("battle").dataset["rolling"]).toBe("true");
    vi.advanceTimersByTime(330);
    flushSync();
    expect(find("battle").dataset["rolling"]).toBe("false");
    // The armies of the view.
    expect([armiesOf(peru), armiesOf(bolivien)]).toEqual(["8", "3"]);
    vi.advanceTimersByTime(3000);
    flushSync();
    expect(document.querySelector("[data-testid=battle]")).toBeNull();
  });

  test("ends with the touch that acts, and with a key", () => {
    showAttack();
    touch("Peru");
    touch("Bolivien");
    expect(built).toHaveLength(1);
    expect(document.querySelector("[data-rolling=true]")).toBeNull();
    key("x");
    expect(document.querySelector("[data-testid=battle]")).toBeNull();
  });
});

test("patterns lie over the colours when they are wanted", () => {
  show(acting);
  const patterns = document.querySelector(".patterns");
  expect(patterns?.classList.contains("patterned")).toBe(false);
  click("patterns");
  expect(kept["patterned"]).toBe(true);
});

test("armies are hidden and shown at the map (EMP-UI-1)", () => {
  show(acting);
  const button = document.querySelector(".frame [data-testid=show-armies]") as HTMLElement;
  expect(button.getAttribute("aria-pressed")).toBe("true");
  button.click();
  expect(kept).toEqual({ pills: false });
});

test("hidden cards stay hidden", () => {
  kept = { hidden: true };
  show(acting);
  expect(find("own-cards").textContent).toBe("board.emperado.cards.hidden");
});

test("a touch or Return goes on while something is shown, Esc asks to rest, and nothing is played", () => {
  show([], {}, { stage: "turn" });
  touch("Peru");
  key("Enter");
  key("Escape");
  expect(did).toEqual(["go", "go", "rest"]);
  expect(built).toEqual([]);
});

test("the rest of the list of choices is asked for", () => {
  show(acting, {}, { more: true });
  expect(did).toEqual(["more"]);
});
