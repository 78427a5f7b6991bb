/** Geometry of Empire Plateau: lines between nodes, ways over open ones, and where they are drawn (EP-BOARD-5, EP-BOARD-6). */
import { expect, test } from "vitest";
import { flat, unrolled, wheel } from "../../../src/boards/plateau/layout";
import { foremost } from "../../../src/boards/plateau/target_priority";
import { beside, DIRECTIONS, distance, graphOf, joined, nodesIn } from "../../../src/boards/plateau/nodes";
import { wayOf } from "../../../src/boards/plateau/ways";

const arena = graphOf(176, true, []);
const first = graphOf(264, true, []);
const node = (name: string): number => arena.names.indexOf(name);

test("boards have the nodes and lines of the rules", () => {
  for (const [graph, nodes, lines] of [
    [arena, 176, 336],
    [first, 264, 504],
  ] as const) {
    expect(graph.names).toHaveLength(nodes);
    expect(graph.names.reduce((sum, _, index) => sum + joined(graph, index).length, 0)).toBe(2 * lines);
  }
  const red = ["E8", "E9", "F8", "F9", "G8", "G9"].map(node);
  const plain = graphOf(176, false, red);
  const places = plain.names.map((_, index) => index).filter((index) => !red.includes(index));
  expect(places.reduce((sum, index) => sum + joined(plain, index).length, 0)).toBe(2 * 308);
  expect(distance(arena, node("A1"), node("A16"))).toBe(1);
});

test("every arrow key leads one way along a line, whatever side the board is seen from", () => {
  for (const layout of [wheel(arena, 0), wheel(first, 18), unrolled(arena, 8), flat(first)]) {
    for (let index = 0; index < 176; index += 7) {
      const ways = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"].map((key) => layout.key(index, key));
      expect(new Set(ways).size).toBe(4);
      expect(layout.key(index, "a")).toBeUndefined();
    }
  }
});

test("keys on the wheel lead to where they point", () => {
  const layout = wheel(arena, 0);
  const aims = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] } as const;
  for (let index = 16; index < 160; index++) {
    for (const [key, [x, y]] of Object.entries(aims)) {
      const direction = layout.key(index, key);
      const to = direction && beside(arena, index, direction);
      const [a, b] = [layout.spots[index], layout.spots[to ?? -1]];
      if (!a || !b) throw new Error("keys on inner rings always lead somewhere");
      expect((b.x - a.x) * x + (b.y - a.y) * y).toBeGreaterThan(0);
    }
  }
});

test("an unrolled board begins and ends with what it goes on with", () => {
  const layout = unrolled(arena, 0);
  expect(layout.again).toHaveLength(44);
  expect(unrolled(graphOf(176, false, [71]), 0).again).toEqual([]);
  const seam = layout.spots.filter(
    (spot, index) =>
      index < 16 && joined(arena, index).some((other) => Math.abs((layout.spots[other]?.y ?? 0) - spot.y) > 60),
  );
  expect(seam).toHaveLength(2);
});

test("ways have so many steps, use no node twice, and go over open nodes only", () => {
  const closed = new Set(["D5", "C4", "E4"].map(node));
  const ground = { graph: arena, open: (_: number, each: number) => !closed.has(each), known: [] };
  expect(wayOf(ground, node("D4"), node("D6"), 2)).toBeUndefined();
  for (const [target, steps] of [
    ["D6", 8],
    ["D3", 1],
    ["C2", 3],
    ["K7", 12],
    ["D2", 12],
  ] as const) {
    const way = wayOf(ground, node("D4"), node(target), steps) ?? [];
    expect(way, target).toHaveLength(steps + 1);
    expect(new Set(way).size).toBe(way.length);
    expect(way.at(-1)).toBe(node(target));
    expect(way.slice(1, -1).some((each) => closed.has(each))).toBe(false);
    expect(way.every((each, index) => index === 0 || joined(arena, way[index - 1] ?? -1).includes(each))).toBe(true);
  }
});

test("a path that was given comes first, and a given beginning is continued", () => {
  const closed = new Set(["B2", "B1", "A1"].map(node));
  const jump = ["C1", "B1", "A1"].map(node);
  const ground = {
    graph: arena,
    open: (_: number, each: number) => !closed.has(each),
    known: [["D4", "D5", "E5"].map(node), ["F1", "F2", "F3"].map(node)],
  };
  expect(wayOf(ground, node("D4"), node("E5"), 2)).toEqual(["D4", "D5", "E5"].map(node));
  const blocked = { ...ground, open: (_: number, each: number) => ["F3", "F4", "G3"].map(node).includes(each) };
  expect(wayOf(blocked, node("F1"), node("F4"), 3)).toEqual(["F1", "F2", "F3", "F4"].map(node));
  expect(wayOf({ ...ground, known: [jump] }, node("C1"), node("A2"), 3)?.slice(0, 2)).not.toEqual(jump.slice(0, 2));
});

test("coordinates are read leniently", () => {
  expect(nodesIn(arena, " f1 F5/6 ")).toEqual({ nodes: ["F1", "F5"].map(node), steps: 6 });
  expect(nodesIn(arena, "B1-B2-B3")?.nodes).toEqual(["B1", "B2", "B3"].map(node));
  expect(nodesIn(arena, "A17")).toBeUndefined();
  expect(nodesIn(arena, "hello")).toBeUndefined();
  expect(DIRECTIONS.map((way) => beside(arena, node("A1"), way))).toEqual([
    undefined,
    node("A2"),
    node("B1"),
    node("A16"),
  ]);
});

test("targets that take something, shield the base or lead on come first, and all where none does", () => {
  const aims = {
    graph: arena,
    source: node("F1"),
    targets: ["E1", "G1", "F2", "F16", "D3"].map(node),
    takes: (each: number) => each === node("G1"),
    goals: [node("A9")],
    threats: [[node("D4"), node("D3")]],
  };
  expect(foremost(aims)).toEqual(new Set(["G1", "D3", "E1", "F2", "F16"].map(node)));
  expect(foremost({ ...aims, goals: [] })).toEqual(new Set(["G1", "D3"].map(node)));
  expect(foremost({ ...aims, goals: [], threats: [], takes: () => false })).toEqual(new Set(aims.targets));
  const many = arena.names.map((_, each) => each).filter((each) => each !== aims.source && each !== node("A9"));
  expect(foremost({ ...aims, targets: many, threats: [], takes: () => false }).size).toBe(8);
});

test("the first look is at the middle of an unrolled board, whose ends have seams", () => {
  const layout = unrolled(arena, 5);
  expect(layout.spots[5]?.y).toBe(8 * 60);
  expect(layout.seams.match(/M/g)).toHaveLength(2);
  expect(unrolled(graphOf(176, false, [71]), 0).seams).toBe("");
});
