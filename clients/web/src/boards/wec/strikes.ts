/** Which squares the shots of a Turn swept, how far each is, and what came of it there (WEC-FIRE-FLAME-2, -STUN-1, -CONV-1, WEC-PROJ-3). */
import type { WecView } from "@brettwerk/client/v1/wec";
import { canCounter, CONVERSION, FLAME, lookOf, STUN } from "./kinds";
import { neighbour, SIZE, squareOf, wayTo } from "./squares";
import { stepsIn, type Step } from "./piece_steps";
import { blastsIn, counteredIn, firesIn, strikesIn, type Fired } from "./turn_strings";

export interface Strike {
  readonly square: number;
  /** How many squares it is from what fired; 0 where something exploded. */
  readonly step: number;
  readonly by: "flame" | "stun" | "conversion" | "blast";
  /** Its outcome as far as it is known: nothing yet or nobody there, something hit, or a hit that was countered. */
  readonly outcome: "swept" | "hit" | "countered";
}

const RAYS: Readonly<Record<string, { readonly by: Strike["by"]; readonly weapon: number }>> = {
  FL: { by: "flame", weapon: FLAME },
  ST: { by: "stun", weapon: STUN },
  CS: { by: "conversion", weapon: CONVERSION },
};
/** The reach of weapons before an option changes it (WEC-OPT-15, WEC-OPT-17). */
const USUAL = { flame: 1, stun: SIZE - 1 };

/** Returns the strikes of what was played in a Turn so far, or of the Turn before it, each square once, the nearest first. */
export function strikesOf(view: WecView, strings: readonly string[]): Strike[] {
  const text = strings.join(",");
  const [hit, countered] = [new Set(strikesIn(text)), new Set(counteredIn(text))];
  // A hit is compared with what counters it when the Turn ends (WEC-RUL-2); until then nobody knows.
  const over = (view.turn?.items.length ?? 0) === 0;
  const steps = stepsIn(text);
  /** Whether the side that acts may have made a Move that was not seen: then nobody knows who of them came late. */
  const hides = text.includes("MV:?");
  const found = new Map<number, Strike>();
  const add = (square: number, step: number, by: Strike["by"], stood: boolean): void => {
    const outcome = hit.has(square) ? "hit" : stood || countered.has(square) ? "countered" : "swept";
    const before = found.get(square)?.outcome ?? "swept";
    if (before === "swept" || outcome === "hit") found.set(square, { square, step, by, outcome });
  };
  for (const fired of firesIn(text)) {
    const ray = RAYS[fired.code];
    if (ray === undefined) continue;
    const { by, weapon } = ray;
    const side = sideOf(view, fired, steps);
    const there = whoStood(view, fired, steps);
    const left = steps.filter(({ fires }) => fires > fired.before).map(({ from }) => from);
    const level = fired.from - squareOf(fired.from);
    const isTaken = (square: number): boolean =>
      hit.has(square) || left.includes(level + square) || there(square).length > 0;
    for (const [index, square] of rayOf(fired, by, view, isTaken).entries()) {
      const withstood = there(square).some((piece) => {
        if (hit.has(squareOf(piece.place)) || (hides && piece.seat === side)) return false;
        // Conversion hits enemies only (WEC-FIRE-4). What counters nothing was not hit: something unseen was in the way.
        const isReached = by !== "conversion" || (side !== undefined && piece.seat !== side);
        return isReached && canCounter(piece.kind, piece.articles, weapon);
      });
      add(square, index + 1, by, over && withstood);
    }
  }
  for (const { code, aimed, to } of firesIn(text)) if (code === "RL" && aimed) add(squareOf(to), 0, "blast", false);
  for (const square of [...blastsIn(text), ...hit]) if (!found.has(square)) add(square, 0, "blast", false);
  return [...found.values()].sort((one, other) => one.step - other.step);
}

/** Returns the squares that a shot in a direction passes: a Stun ends on the first square where somebody is. */
function rayOf(fired: Fired, by: Strike["by"], view: WecView, isTaken: (square: number) => boolean): number[] {
  const [from, first] = [squareOf(fired.from), squareOf(fired.to)];
  const direction = wayTo(from, first);
  const reach = { flame: view.options?.flameRange ?? USUAL.flame, stun: view.options?.stunRange ?? USUAL.stun };
  const most = by === "flame" || by === "stun" ? reach[by] : 1;
  const ray: number[] = [];
  for (let square: number | undefined = first; direction >= 0 && square !== undefined && ray.length < most;) {
    ray.push(square);
    if (by === "stun" && isTaken(square)) break;
    square = neighbour(square, direction);
  }
  return ray;
}

/** Tells who is known to have been on squares of the level of a shot: who is seen there and had not come later, and who left it later. */
function whoStood(view: WecView, fired: Fired, steps: readonly Step[]): (square: number) => WecView["pieces"] {
  const later = steps.filter(({ fires }) => fires > fired.before);
  const cameLater = (code: string, square: number): boolean =>
    later.some((step) => step.code === code && (step.to ?? square) === square);
  const level = fired.from - squareOf(fired.from);
  return (square) => [
    ...view.pieces.filter(({ place, kind }) => place === level + square && !cameLater(lookOf(kind).code, square)),
    ...later.filter(({ from }) => from === level + square).flatMap((step) => arrived(view, step) ?? []),
  ];
}

/** Returns the piece that made a step, if it is seen where it went and nothing else there could be meant. */
function arrived({ pieces }: WecView, { code, to }: Step): WecView["pieces"][number] | undefined {
  const [found, other] = pieces.filter(({ place, kind }) => squareOf(place) === to && lookOf(kind).code === code);
  return other === undefined ? found : undefined;
}

/** The side of who fired, who may have gone on since. */
function sideOf(view: WecView, { from, before }: Fired, steps: readonly Step[]): number | undefined {
  const gone = steps.find((step) => step.from === from && step.fires > before);
  return (gone === undefined ? view.pieces.find(({ place }) => place === from) : arrived(view, gone))?.seat;
}
