/** Which squares the shots of a Turn swept, how far each is, and what came of it there (WEC-FIRE-FLAME-2, -STUN-1, -CONV-1, WEC-PROJ-3). */
import type { WecView } from "@brettwerk/client/v1/wec";
import { neighbour, SIZE, squareOf, SQUARES, wayTo } from "./squares";
import { blastsIn, counteredIn, firesIn, strikesIn, wayIn, type Fired } from "./strings";

export interface Strike {
  readonly square: number;
  /** How many squares it is from what fired; 0 where something exploded. */
  readonly step: number;
  readonly by: "flame" | "stun" | "conversion" | "blast";
  /** What is known of it: nothing yet or nobody there, something hit, or a hit that was countered. */
  readonly outcome: "swept" | "hit" | "countered";
}

const RAYS: Readonly<Record<string, Strike["by"]>> = { FL: "flame", ST: "stun", CS: "conversion" };
/** The reach of weapons before an option changes it (WEC-OPT-15, WEC-OPT-17). */
const USUAL = { flame: 1, stun: SIZE - 1 };

/** Returns the strikes of what was played in a Turn so far, or of the Turn before it, each square once, the nearest first. */
export function strikesOf(view: WecView, strings: readonly string[]): Strike[] {
  const text = strings.join(",");
  const [hit, countered] = [new Set(strikesIn(text)), new Set(counteredIn(text))];
  // What was hit is compared with what counters it when the Turn ends (WEC-RUL-2); until then nobody knows.
  const over = (view.turn?.items.length ?? 0) === 0;
  const found = new Map<number, Strike>();
  const add = (square: number, step: number, by: Strike["by"], stands: boolean): void => {
    const outcome = hit.has(square) ? "hit" : stands || countered.has(square) ? "countered" : "swept";
    if (found.get(square)?.outcome !== "hit") found.set(square, { square, step, by, outcome });
  };
  const late = /,OR:F/.test(text) ? wayIn(text)?.came : undefined;
  for (const fired of firesIn(text)) {
    const by = RAYS[fired.code];
    if (by === undefined) continue;
    for (const [index, square] of rayOf(fired, by, view, hit).entries()) {
      const stands = over && square !== late && standsAt(view, fired, square, by);
      add(square, index + 1, by, stands);
    }
  }
  for (const { code, aimed, to } of firesIn(text)) if (code === "RL" && aimed) add(squareOf(to), 0, "blast", false);
  for (const square of [...blastsIn(text), ...hit]) if (!found.has(square)) add(square, 0, "blast", false);
  return [...found.values()].sort((one, other) => one.step - other.step);
}

/** Returns the squares that a shot in a direction passes: a Stun ends on the first square where somebody is. */
function rayOf(fired: Fired, by: Strike["by"], view: WecView, hit: ReadonlySet<number>): number[] {
  const [from, first] = [squareOf(fired.from), squareOf(fired.to)];
  const direction = wayTo(from, first);
  const reach = { flame: view.options?.flameRange ?? USUAL.flame, stun: view.options?.stunRange ?? USUAL.stun };
  const most = by === "flame" || by === "stun" ? reach[by] : 1;
  const ray: number[] = [];
  for (let square: number | undefined = first; direction >= 0 && square !== undefined && ray.length < most;) {
    ray.push(square);
    if (by === "stun" && (hit.has(square) || peopleAt(view, fired, square).length > 0)) break;
    square = neighbour(square, direction);
  }
  return ray;
}

/** The pieces that are seen on a square of the level on which was fired. */
function peopleAt(view: WecView, { from }: Fired, square: number): WecView["pieces"] {
  const place = from - (from % SQUARES) + square;
  return view.pieces.filter((piece) => piece.place === place);
}

/** Whether somebody who was hit still stands there. Conversion hits enemies only (WEC-FIRE-4). */
function standsAt(view: WecView, fired: Fired, square: number, by: Strike["by"]): boolean {
  const shooter = view.pieces.find((piece) => piece.place === fired.from);
  return peopleAt(view, fired, square).some(({ seat }) => by !== "conversion" || seat !== shooter?.seat);
}
