/** Computers' actions in Empire Plateau are shown for a while; advice is drawn; a flat board can be turned. */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import {
  PlateauActionSchema,
  PlateauEventSchema,
  PlateauViewSchema,
  type PlateauEvent,
} from "@brettwerk/client/v1/plateau";
import type { Advice, BoardSeat } from "../../../src/boards/board";
import { advisedArrows, advisedMoves } from "../../../src/boards/plateau/arrows";
import { flat, unrolled } from "../../../src/boards/plateau/layout";
import { beside, graphOf } from "../../../src/boards/plateau/nodes";
import { pace } from "../../../src/boards/plateau/pace";

const seats = [false, true, true].map((computer, seat): BoardSeat => {
  return { name: String(seat), who: "", colour: "", computer, mine: seat === 0, acts: false };
});
const moved = (path: number[], captured = 0): PlateauEvent =>
  create(PlateauEventSchema, { kind: { case: "moved", value: { seat: 1, army: 1, path, captured } } });
const ceased = create(PlateauEventSchema, { kind: { case: "ceased", value: { seat: 1, small: 6 } } });
const fell = create(PlateauEventSchema, { kind: { case: "fell", value: { seat: 2, conquerorSeat: 1, inherited: 3 } } });

function shown(events: readonly PlateauEvent[], seat = 1, toMove = 1): number {
  const view = create(PlateauViewSchema, { position: { toMove } });
  return pace({ seat, events, view, newest: view, seats }).reduce((sum, { seconds }) => sum + seconds, 0);
}

test("the plies of people are not held up", () => {
  expect(shown([moved([0, 1, 2])], 0)).toBe(0);
});

test("a computer's move is shown, longer when it goes far, captures, or brings an empire down", () => {
  const short = shown([moved([0, 1])]);
  expect(short).toBeGreaterThan(0.3);
  expect(shown([moved([0, 1, 2, 3])])).toBeGreaterThan(short);
  expect(shown([moved([0, 1], 3)])).toBeGreaterThan(short);
  expect(shown([moved([0, 1], 3), fell])).toBeGreaterThan(shown([moved([0, 1], 3)]) + 1);
  expect(shown([moved(Array.from({ length: 13 }, (_, node) => node))])).toBeLessThan(3);
});

test("the end of a turn is shown between computers, and is no delay before one's own turn", () => {
  expect(shown([ceased], 1, 2)).toBeGreaterThan(0);
  expect(shown([ceased], 1, 0)).toBe(0);
});

const graph = graphOf(176, true, []);
const ground = { graph, open: () => true, known: [] };
function advice(chance: number, source: number, target: number, steps: number): Advice {
  const action = create(PlateauActionSchema, { kind: { case: "move", value: { source, target, steps } } });
  return { places: [], chance, action };
}

test("advice is drawn on a way of its steps, the best one last and with its chance", () => {
  const arrows = advisedArrows(advisedMoves([advice(0.61, 0, 2, 4), advice(0.5, 0, 1, 1)], ground));
  expect(arrows.map(({ path, text, faint }) => [path.length, text, faint])).toEqual([
    [2, undefined, true],
    [5, "61 %", undefined],
  ]);
});

test("the end of a turn is advised without a way", () => {
  const action = create(PlateauActionSchema, { kind: { case: "endTurn", value: {} } });
  const advised = advisedMoves([{ places: [], chance: 0.4, action }], ground);
  expect(advised).toEqual([{ chance: 0.4, path: [], steps: 0 }]);
  expect(advisedArrows(advised)).toEqual([]);
});

test("on a flat board that is turned everything is on the other side, and keys lead where they point", () => {
  const board = graphOf(176, false, [71, 72, 87, 88, 103, 104]);
  for (const draw of [flat, (of: typeof board, turned: boolean) => unrolled(of, 0, turned)]) {
    const [straight, turned] = [draw(board, false), draw(board, true)];
    const last = board.names.length - 1;
    expect(turned.spots).toEqual(straight.spots.map((_, node) => straight.spots[last - node]));
    for (const layout of [straight, turned]) {
      for (const [key, x, y] of [
        ["ArrowUp", 0, -1],
        ["ArrowRight", 1, 0],
        ["ArrowDown", 0, 1],
        ["ArrowLeft", -1, 0],
      ] as const) {
        const direction = layout.key(50, key);
        const to = direction && beside(board, 50, direction);
        const [from, there] = [layout.spots[50], layout.spots[to ?? -1]];
        expect([Math.sign((there?.x ?? 0) - (from?.x ?? 0)), Math.sign((there?.y ?? 0) - (from?.y ?? 0))]).toEqual([
          x,
          y,
        ]);
      }
    }
  }
});
