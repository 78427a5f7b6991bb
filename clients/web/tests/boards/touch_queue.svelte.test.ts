/** TouchQueue that come too early are made in time, on boards whose turns have several actions. */
import { create } from "@bufbuild/protobuf";
import { flushSync, mount, unmount, type Component } from "svelte";
import { afterEach, expect, test } from "vitest";
import { PlateauActionSchema, PlateauViewSchema } from "@brettwerk/client/v1/plateau";
import { WecArticle, WecKind, WecViewSchema } from "@brettwerk/client/v1/wec";
import type { BoardProps, Choice } from "../../src/boards/board";
import { graphOf } from "../../src/boards/plateau/nodes";
import PlateauBoard from "../../src/boards/plateau/PlateauBoard.svelte";
import WecBoard from "../../src/boards/wec/WecBoard.svelte";
import { choices, end, fire, move } from "./wec/actions";

let component: object | undefined;
afterEach(async () => {
  if (component) await unmount(component);
  component = undefined;
});

function show(board: Component<BoardProps>, view: unknown, offered: readonly Choice[]): [BoardProps, string[]] {
  const chosen: string[] = [];
  const props: BoardProps = $state({
    view,
    choices: offered,
    events: [],
    advice: [],
    settings: { autoplay: true, roll: "agreed", flipped: false },
    busy: true,
    say: (key) => key,
    seats: [],
    kept: {},
    more: false,
    onchoose: (choice) => void chosen.push(choice.notation),
    onbuild: () => void chosen.push("built"),
    onmore: () => undefined,
    onkeep: () => undefined,
  });
  component = mount(board, { target: document.body, props });
  flushSync();
  return [props, chosen];
}

function touch(square: string): void {
  document.querySelector(`[data-testid="square-${square}"]`)?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  flushSync();
}

function answer(props: BoardProps, changed: Partial<BoardProps> = {}): void {
  Object.assign(props, { busy: false, ...changed });
  flushSync();
}

const graph = graphOf(176, true, []);
const node = (name: string): number => graph.names.indexOf(name);

function plateau(): [BoardProps, string[]] {
  const nodes = graph.names.map((name) => (name === "D4" ? 3 : 0));
  const guide = { bases: [node("A1"), node("A9")], ready: [node("D4")], tally: { owed: 4 } };
  const value = { source: node("D4"), target: node("D5"), steps: 1 };
  const action = create(PlateauActionSchema, { kind: { case: "move", value } });
  const offered = [{ key: 0, places: ["D4", "D5"], notation: "D4-D5", label: "", action }];
  return show(
    PlateauBoard,
    create(PlateauViewSchema, { viewerSeat: 0, position: { seats: 2, nodes, turn: { due: 6 } }, guide }),
    offered,
  );
}

test("an army and its target are touched while the last move is on its way (Empire Plateau)", () => {
  const [props, chosen] = plateau();
  touch("D4");
  touch("D5");
  expect(chosen).toEqual([]);
  answer(props);
  expect(chosen).toEqual(["D4-D5"]);
});

test("one touch too many asks for nothing (Empire Plateau)", () => {
  const [props, chosen] = plateau();
  touch("D5");
  answer(props);
  expect(chosen).toEqual([]);
});

test("a touch is forgotten when the turn is over (Empire Plateau)", () => {
  const [props, chosen] = plateau();
  const { choices: offered } = props;
  touch("D4");
  answer(props, { choices: [] });
  answer(props, { choices: offered });
  touch("D5");
  expect(chosen).not.toContain("D4-D5");
});

test("the last piece that is touched while an action is on its way is chosen, and nothing is played (Weaponized Chess)", () => {
  const pieces = [
    { id: 1, seat: 0, kind: WecKind.PANZER, place: 11 },
    { id: 2, seat: 0, kind: WecKind.JET, place: 12, articles: [{ kind: WecArticle.FLAME }] },
  ];
  const view = create(WecViewSchema, { ply: 1, options: {}, pieces });
  const [props, chosen] = show(WecBoard, view, choices(move(1, 21), move(2, 22), fire(2, WecArticle.FLAME, 1), end));
  touch("(2,2)");
  touch("(2,3)");
  answer(props);
  expect(chosen).toEqual([]);
  const mark = (square: string): string | null | undefined =>
    document.querySelector(`[data-testid="square-${square}"]`)?.getAttribute("data-mark");
  expect([mark("(2,2)"), mark("(2,3)")]).toEqual(["candidate", "moving"]);
});
