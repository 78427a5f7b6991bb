/** Armies march along the lines of the board, whichever way it is drawn. */
import { expect, test } from "vitest";
import { flat, unrolled, wheel, type Layout } from "../../../src/boards/plateau/layout";
import { marchOf, type MarchFrame } from "../../../src/boards/plateau/motion";
import { graphOf } from "../../../src/boards/plateau/nodes";
import { placed } from "../../../src/boards/plateau/outlines";

const graph = graphOf(176, true, []);
const path = (names: string): number[] => names.split("-").map((name) => graph.names.indexOf(name));
const PITCH = 60;

/** Returns how far an army goes between the moments of its march; where it goes on elsewhere, it goes no way. */
function lengths(frames: readonly MarchFrame[]): number[] {
  return frames.slice(1).flatMap((frame, index) => {
    const before = frames[index];
    if (before === undefined || before.offset === frame.offset) return [];
    return [Math.hypot(frame.x - before.x, frame.y - before.y)];
  });
}

function expectNodes(layout: Layout, way: readonly number[]): MarchFrame[] {
  const frames = marchOf(layout, way);
  for (const [index, node] of way.entries()) {
    const there = frames.find(({ offset }) => Math.abs(offset - index / (way.length - 1)) < 1e-9);
    expect(there).toMatchObject({ x: layout.spots[node]?.x, y: layout.spots[node]?.y });
  }
  expect(frames.map(({ offset }) => offset)).toEqual(frames.map(({ offset }) => offset).sort((a, b) => a - b));
  return frames;
}

test("an army is at each node of its way in turn", () => {
  for (const layout of [wheel(graph, 0), unrolled(graph, 0), flat(graph)]) expectNodes(layout, path("A2-A3-B3-C3"));
});

test("on a wheel it keeps to the rings", () => {
  const frames = expectNodes(wheel(graph, 0), path("A2-A3-A4"));
  const far = frames.map(({ x, y }) => Math.hypot(x, y));
  expect(Math.max(...far) - Math.min(...far)).toBeLessThan(0.01);
});

test("where an unrolled board ends it goes on at the other end, and never across", () => {
  const frames = expectNodes(unrolled(graph, 0), path("C7-C8-C9-C10"));
  expect(Math.max(...lengths(frames))).toBeLessThanOrEqual(PITCH);
  expect(frames.length).toBe(6);
});

test("outlines are scaled and moved, with their arcs", () => {
  expect(placed("M0-10A10 10 0 1 1 0 10Q-.5 2 3 4H6V-2Z", 0.5, 1, 2)).toBe("M1 -3A5 5 0 1 1 1 7Q0.75 3 2.5 4H4V1Z");
});
