/** An army that is dragged over the board, by mouse, pen or finger. */
import { DragGesture, type Point } from "../drag.svelte";
import type { Layout, Spot } from "./layout";
import type { Graph } from "./nodes";

/** So near a node a pointer is over it, in radii of what stands there. */
const NEAR = 1.6;

/** Returns the node at a place of the drawing, or undefined between nodes. */
function nodeAt(graph: Graph, layout: Layout, { x, y }: Point): number | undefined {
  let found: number | undefined;
  let least = Infinity;
  const near = (node: number, spot: Spot): void => {
    const far = Math.hypot(spot.x - x, spot.y - y);
    if (far < least && far < spot.r * NEAR) [found, least] = [node, far];
  };
  for (const [node, spot] of layout.spots.entries()) if (!graph.red.has(node)) near(node, spot);
  for (const { node, spot } of layout.again) near(node, spot);
  return found;
}

/** The input of a drag, and its reports. */
interface ArmyDragSource {
  readonly graph: () => Graph;
  readonly layout: () => Layout;
  readonly svg: () => SVGSVGElement | undefined;
  readonly lift: (node: number) => void;
  /** The nodes that the army passed, from its own to where it was let go. */
  readonly drop: (path: readonly number[]) => void;
  readonly hover: (node: number | undefined) => void;
}

/** Returns a drag that remembers the nodes on its way; one that it comes back to is where the way goes on from. */
export function dragArmies({ graph, layout, svg, lift, drop, hover }: ArmyDragSource): DragGesture {
  let path: readonly number[] = [];
  return new DragGesture({
    svg,
    lift: (node) => {
      path = [node];
      lift(node);
    },
    over: (at) => {
      const node = nodeAt(graph(), layout(), at);
      hover(node);
      if (node === undefined) return;
      const back = path.indexOf(node);
      path = back >= 0 ? path.slice(0, back + 1) : [...path, node];
    },
    drop: (_from, at) => {
      const node = nodeAt(graph(), layout(), at);
      if (node !== undefined && path.length > 1 && path.at(-1) === node) drop(path);
    },
  });
}
