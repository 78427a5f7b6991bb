/** Choosing a move of Empire Plateau: what was dragged before the moves are known, and what has passed meanwhile. */
import { beforeEach, expect, test } from "vitest";
import { Choosing, type Moment } from "../../../src/boards/plateau/move_choice.svelte";
import { graphOf } from "../../../src/boards/plateau/nodes";

const graph = graphOf(176, true, []);
const nodes = (names: string): number[] => names.split("-").map((name) => graph.names.indexOf(name));
const [source = 0, target = 0] = nodes("D4-D6");
const choice = { key: 0, places: [], notation: "", label: "" };
const offer = { moves: new Map([[source, new Map([[target, [{ steps: 2, choice }]]])]]), end: undefined };

let moment: Moment;
let built: (readonly number[])[];
let asked: number;
function choosing(): Choosing {
  return new Choosing(() => moment, {
    choose: () => undefined,
    build: (_army, _target, _steps, path) => void built.push(path),
    more: () => {
      asked += 1;
    },
    focus: () => undefined,
  });
}

beforeEach(() => {
  [built, asked] = [[], 0];
  const ground = { graph, open: () => true, known: [] };
  moment = {
    of: "now",
    acts: true,
    more: true,
    mover: 0,
    offer: { moves: new Map(), end: undefined },
    ready: new Set([source]),
    armyOn: new Map([[source, { seat: 0, kind: 3, node: source }]]),
    graph,
    ground,
    draws: false,
  };
});

test("an army that is let go before its targets are known goes there as soon as they are", () => {
  const chosen = choosing();
  chosen.pick(source);
  chosen.drop(nodes("D4-D5-D6"));
  chosen.arrived();
  expect([asked, built]).toEqual([1, []]);
  moment = { ...moment, more: false, offer };
  chosen.arrived();
  chosen.arrived();
  expect(built).toEqual([nodes("D4-D5-D6")]);
});

test("it stays where it is when the position has changed meanwhile", () => {
  const chosen = choosing();
  chosen.pick(source);
  chosen.drop(nodes("D4-D5-D6"));
  moment = { ...moment, of: "later", more: false, offer };
  chosen.arrived();
  expect([built, chosen.source]).toEqual([[], undefined]);
});

test("a hasty drag that leaves nodes out takes a way of its own", () => {
  moment = { ...moment, more: false, offer };
  choosing().drop(nodes("D4-D6"));
  expect(built).toEqual([nodes("D4-D5-D6")]);
});
