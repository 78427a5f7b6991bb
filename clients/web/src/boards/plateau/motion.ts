/** How armies are seen to go their way. */
import { animate } from "../animation";
import type { Layout, Spot } from "./layout";

/** How long an army takes for a step, in milliseconds. */
export const STEP_MS = 110;

/** Lets an element go along a line of places to where it is drawn, the last of them; nothing moves for those who want it so. */
export function glide(
  element: Element | null | undefined,
  places: readonly { readonly x: number; readonly y: number }[],
  to: { readonly x: number; readonly y: number },
  stepMs: number,
): void {
  const frames = places.map(({ x, y }) => ({ transform: `translate(${x - to.x}px, ${y - to.y}px)` }));
  animate(element, frames, { duration: stepMs * places.length, easing: "ease-in-out" });
}

/** A place on a march, and when the army is there: 0 at its beginning, 1 at its end. */
export interface MarchFrame {
  readonly x: number;
  readonly y: number;
  readonly offset: number;
}

/** Returns how an army goes along the lines of the board; where an unrolled board ends, it goes on at the other end. */
export function marchOf(layout: Layout, path: readonly number[]): MarchFrame[] {
  const frames: MarchFrame[] = [];
  const steps = path.length - 1;
  for (const [index, node] of path.entries()) {
    const to = layout.spots[node];
    const before = path[index - 1];
    const from = before === undefined ? undefined : layout.spots[before];
    if (to === undefined) continue;
    const halfway = (index - 0.5) / steps;
    if (from !== undefined && before !== undefined) {
      const beyond = layout.again.filter((each) => each.node === node || each.node === before);
      const near = (of: number, spot: Spot): Spot | undefined =>
        beyond.find((each) => each.node === of && Math.hypot(each.spot.x - spot.x, each.spot.y - spot.y) < spot.r * 3)
          ?.spot;
      const [out, back] = [near(node, from), near(before, to)];
      if (Math.hypot(to.x - from.x, to.y - from.y) > to.r * 4 && out !== undefined && back !== undefined)
        frames.push({ ...middle(from, out), offset: halfway }, { ...middle(back, to), offset: halfway });
      else if (layout.kind === "round") frames.push({ ...onTheWay(from, to), offset: halfway });
    }
    frames.push({ x: to.x, y: to.y, offset: steps === 0 ? 1 : index / steps });
  }
  return frames;
}

function middle(one: Spot, other: Spot): { x: number; y: number } {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

/** Returns what is halfway between two nodes of a wheel, as far from its middle as they are. */
function onTheWay(from: Spot, to: Spot): { x: number; y: number } {
  const { x, y } = middle(from, to);
  const far = (Math.hypot(from.x, from.y) + Math.hypot(to.x, to.y)) / 2;
  const much = far / (Math.hypot(x, y) || 1);
  return { x: x * much, y: y * much };
}
