/** A path to show for a move: over nodes that the server has called open, or along one that it has given. What is legal, the server decides. */
import { beside, DIRECTIONS, joined, type Graph } from "./nodes";

/** How many nodes it looks at before it gives up; the move is then played without a way. */
const MAX_NODES = 40_000;

/** The facts about walking. */
export interface Ground {
  readonly graph: Graph;
  /** Tells whether an army that stands on a node may walk through another. */
  readonly open: (source: number, node: number) => boolean;
  /** Ways that are not just walked, or their beginnings. */
  readonly known: readonly (readonly number[])[];
}

/** Returns the nodes of a way from source to target in that many steps, both ends included; undefined when none was found. */
export function wayOf(ground: Ground, source: number, target: number, steps: number): readonly number[] | undefined {
  const known = ground.known.filter((way) => way[0] === source);
  const whole = known.find((way) => way.at(-1) === target && way.length === steps + 1);
  if (whole) return whole;
  const walked = walk(ground, source, source, target, steps, new Set([source]));
  if (walked) return walked;
  for (const start of known) {
    const last = start.at(-1);
    const left = steps - start.length + 1;
    if (last === undefined || left < 1 || !ground.open(source, last)) continue;
    const rest = walk(ground, source, last, target, left, new Set(start));
    if (rest) return [...start, ...rest.slice(1)];
  }
  return undefined;
}

function walk(
  ground: Ground,
  army: number,
  from: number,
  target: number,
  steps: number,
  used: Set<number>,
): number[] | undefined {
  const { graph } = ground;
  if (used.has(target)) return undefined;
  const far = distances(ground, army, target, steps);
  const path = [from];
  let budget = MAX_NODES;

  function extend(left: number): boolean {
    const last = path.at(-1) ?? from;
    if (left === 1) {
      if (!joined(graph, last).includes(target)) return false;
      path.push(target);
      return true;
    }
    // Going straight on comes first, so that ways look like ways.
    const before = path.at(-2);
    const ahead = DIRECTIONS.find((way) => before !== undefined && beside(graph, before, way) === last);
    const next = (ahead === undefined ? DIRECTIONS : [ahead, ...DIRECTIONS]).flatMap(
      (way) => beside(graph, last, way) ?? [],
    );
    for (const node of next) {
      const least = far.get(node);
      if (used.has(node) || node === target || least === undefined || least > left - 1) continue;
      if (--budget < 0) return false;
      used.add(node);
      path.push(node);
      if (extend(left - 1)) return true;
      path.pop();
      used.delete(node);
    }
    return false;
  }

  return extend(steps) ? path : undefined;
}

/** Returns how many steps open nodes are from the target, up to `most`. */
function distances({ graph, open }: Ground, army: number, target: number, most: number): Map<number, number> {
  const known = new Map([[target, 0]]);
  let layer = [target];
  for (let steps = 1; steps < most && layer.length > 0; steps++) {
    const next: number[] = [];
    for (const node of layer) {
      for (const other of joined(graph, node)) {
        if (known.has(other) || !open(army, other)) continue;
        known.set(other, steps);
        next.push(other);
      }
    }
    layer = next;
  }
  return known;
}
