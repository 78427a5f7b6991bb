/** No touch is lost while an action is on its way, or the rest of what can be done. */
import { create } from "@bufbuild/protobuf";
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EmperadoActionSchema, EmperadoViewSchema, type EmperadoAction } from "@brettwerk/client/v1/emperado";
import type { BoardProps, Choice } from "../../../src/boards/board";
import EmperadoBoard from "../../../src/boards/emperado/EmperadoBoard.svelte";
import { COUNTRIES } from "../../../src/boards/emperado/world";

const of = (name: string): number => COUNTRIES.findIndex(({ notation }) => notation === name);
const [peru, bolivien] = [of("Peru"), of("Bolivien")];

function listOf(...kinds: EmperadoAction["kind"][]): Choice[] {
  return kinds.map((kind, key) => ({
    key,
    places: [],
    notation: String(key),
    label: String(key),
    action: create(EmperadoActionSchema, { kind }),
  }));
}
const place: EmperadoAction["kind"] = { case: "place", value: { country: peru, armies: 1 } as never };
const done: EmperadoAction["kind"] = { case: "done", value: {} as never };
const attack: EmperadoAction["kind"] = {
  case: "attack",
  value: { source: peru, target: bolivien, throws: 0 } as never,
};

let built: string[];
let component: object | undefined;

/** Shows the board; what it is told changes with what comes back. */
function show(kinds: EmperadoAction["kind"][], toPlace = 0): BoardProps {
  const owners = COUNTRIES.map((_, country) => (country === peru ? 1 : 2));
  const parties = [{}, {}];
  const props: BoardProps = $state({
    view: create(EmperadoViewSchema, {
      viewerSeat: 0,
      position: { owners, armies: COUNTRIES.map(() => 8), parties, options: {}, toPlace },
    }),
    choices: listOf(...kinds),
    events: [],
    recent: [],
    advice: [],
    settings: { autoplay: true, roll: "agreed", flipped: false },
    busy: false,
    say: (key) => key,
    seats: ["A", "B"].map((name, seat) => ({
      name,
      who: name,
      colour: "#c8402f",
      computer: seat === 1,
      mine: seat === 0,
      acts: seat === 0,
    })),
    kept: {},
    more: false,
    onchoose: () => undefined,
    onbuild: (_, fields) => void built.push((fields as { kind: { case: string } }).kind.case),
    onmore: () => undefined,
    onkeep: () => undefined,
  });
  component = mount(EmperadoBoard, { target: document.body, props });
  flushSync();
  const list = document.querySelector<HTMLDetailsElement>("[data-testid=countries]");
  if (list) list.open = true;
  list?.dispatchEvent(new Event("toggle"));
  flushSync();
  return props;
}

function touch(name: string): void {
  document.querySelector<HTMLElement>(`[data-testid="listed-${name}"]`)?.click();
  flushSync();
}
const markOf = (name: string): string | undefined =>
  document.querySelector<HTMLElement>(`[data-testid="country-${name}"]`)?.dataset["mark"];

beforeEach(() => {
  built = [];
});
afterEach(async () => {
  if (component) await unmount(component);
  component = undefined;
});

function change(props: BoardProps, changed: Partial<BoardProps>): void {
  Object.assign(props, changed);
  flushSync();
}

test("a touch while an action is on its way is done after it", () => {
  const props = show([place], 3);
  change(props, { busy: true });
  touch("Peru");
  expect(built).toEqual([]);
  expect(document.querySelector("[aria-busy=true]")).not.toBeNull();
  change(props, { busy: false });
  expect(built).toEqual(["place"]);
});

test("one touch too many does not become something else", () => {
  const props = show([place], 1);
  change(props, { busy: true });
  touch("Peru");
  change(props, { busy: false, choices: listOf(done, attack) });
  expect(built).toEqual([]);
  expect(markOf("Peru")).toBe("candidate");
});

test("source and target can be touched before all that can be done is known", () => {
  const props = show([done]);
  change(props, { more: true });
  touch("Peru");
  touch("Bolivien");
  change(props, { more: false, choices: listOf(done, attack) });
  expect(markOf("Peru")).toBe("moving");
  expect(built).toEqual(["attack"]);
});

test("touches without an end are not all kept", () => {
  const props = show([place], 90);
  change(props, { busy: true });
  for (let number = 0; number < 30; number++) touch("Peru");
  change(props, { busy: false });
  expect(built).toHaveLength(8);
});

test("a touch is forgotten when the turn is over", () => {
  const props = show([done, attack]);
  change(props, { busy: true });
  touch("Peru");
  change(props, { busy: false, choices: [] });
  change(props, { choices: listOf(done, attack) });
  expect(markOf("Peru")).toBe("candidate");
});
