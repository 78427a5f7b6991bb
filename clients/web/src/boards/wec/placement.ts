/**
 * Drawings put in their place by their own numbers instead of by a transform.
 *
 * To a browser, everything that is transformed is a piece of its own that it puts together with all others again whenever anything
 * comes, goes or begins to move: with several transforms for each of a hundred things, that was most of what drawing a board cost.
 */

/** Where a drawing goes: its origin, how large a unit of it is, and whether left and right change places. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly mirrored?: boolean;
}

/** Where drawings are as they are. */
export const AS_IT_IS: Place = { x: 0, y: 0, scale: 1 };

/** Returns the place of what is drawn at a place within a drawing that is placed itself. */
export function within({ x, y, scale, mirrored = false }: Place, inner: Place): Place {
  return {
    x: x + (mirrored ? -inner.x : inner.x) * scale,
    y: y + inner.y * scale,
    scale: scale * inner.scale,
    mirrored: mirrored !== (inner.mirrored ?? false),
  };
}

const COMMAND = /([a-z])([^a-z]*)/gi;
const NUMBER = /-?(?:\d+\.?\d*|\.\d+)/g;
/** How many numbers an arc has, and which of them are its radii, its sweep and its end. */
const ARC = { numbers: 7, sweep: 4, x: 5, y: 6 };
/** A circle is an arc that ends so near its beginning: made smaller, a browser would take both for the same. */
const NEAR = 0.01;

/** Paths that were put in their places before: pieces come back to squares, and are drawn anew with what else is there. */
const known = new Map<string, string>();
/** How many paths are remembered; what comes after that begins anew. */
const MAX_KNOWN = 4_000;

/** Returns the data of a path where it goes. */
export function placed(path: string, place: Place): string {
  const { x, y, scale, mirrored = false } = place;
  if (x === 0 && y === 0 && scale === 1 && !mirrored) return path;
  const name = `${x} ${y} ${scale} ${mirrored ? "-" : "+"}${path}`;
  let found = known.get(name);
  if (found === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(name, (found = put(path, place)));
  }
  return found;
}

function put(path: string, { x, y, scale, mirrored = false }: Place): string {
  const across = mirrored ? -scale : scale;
  const moved = (command: string, value: number, index: number): number => {
    const isAbsolute = command === command.toUpperCase();
    const right = across * value + (isAbsolute ? x : 0);
    const down = scale * value + (isAbsolute ? y : 0);
    switch (command.toLowerCase()) {
      case "h":
        return right;
      case "v":
        return down;
      case "a": {
        const at = index % ARC.numbers;
        if (at < 2) return scale * value;
        if (at === ARC.sweep) return mirrored ? 1 - value : value;
        if (at === ARC.x && !isAbsolute && Math.abs(value) === NEAR) return Math.sign(across) * value;
        return at === ARC.x ? right : at === ARC.y ? down : value;
      }
      default:
        return index % 2 === 0 ? right : down;
    }
  };
  return path.replaceAll(COMMAND, (_, command: string, values: string) => {
    const numbers = (values.match(NUMBER) ?? []).map((value, index) => moved(command, Number(value), index));
    return command + numbers.map((value) => String(Math.round(value * 1000) / 1000)).join(" ");
  });
}
