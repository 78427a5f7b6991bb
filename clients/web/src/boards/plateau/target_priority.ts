/** Which targets are drawn first. It is a matter of drawing alone: all others can be chosen as well, and are drawn more quietly. */
import { joined, type Graph } from "./nodes";

/** The facts that decide the priority. */
export interface Aims {
  readonly graph: Graph;
  /** Where the army stands that goes. */
  readonly source: number;
  /** Where it can go, and where something would be taken. */
  readonly targets: readonly number[];
  readonly takes: (node: number) => boolean;
  /** The bases that it is out for. */
  readonly goals: readonly number[];
  /** The ways by which the own base can be reached. */
  readonly threats: readonly (readonly number[])[];
}

/** How many targets that are only on the way are drawn first, at most. */
const MAX_SHOWN = 8;

/** Returns what can be taken, what stands in the way of a threat, and the targets nearest to a goal; all where there are none of these. */
export function foremost({ graph, source, targets, takes, goals, threats }: Aims): ReadonlySet<number> {
  const threatened = new Set(threats.flat());
  const far = farFrom(graph, goals);
  const farOf = (node: number): number => far.get(node) ?? Infinity;
  const nearer = targets
    .filter((node) => farOf(node) < farOf(source))
    .sort((one, other) => farOf(one) - farOf(other))
    .slice(0, MAX_SHOWN);
  const found = new Set([...targets.filter((node) => takes(node) || threatened.has(node)), ...nearer]);
  return found.size > 0 ? found : new Set(targets);
}

/** Returns how many lines each node is away from the nearest of some others, on an empty board. */
function farFrom(graph: Graph, goals: readonly number[]): Map<number, number> {
  const known = new Map(goals.map((goal) => [goal, 0]));
  for (const [node, lines] of known) {
    for (const other of joined(graph, node)) if (!known.has(other)) known.set(other, lines + 1);
  }
  return known;
}
