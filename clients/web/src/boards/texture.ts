/** Lines that look like drawn by hand: the grain of wood, the veins of stone. The same for the same seed, wherever it is drawn. */

/** Returns numbers from 0 to 1 that follow from a seed. */
export function randomNumbers(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** A rectangle. */
interface Plank {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the grain of a plank as a path: `lines` lines along its longer side, or along `down` where both are alike. */
export function grain(plank: Plank, lines: number, seed: number, down = plank.height > plank.width): string {
  const { x, y, width, height } = plank;
  const next = randomNumbers(seed);
  const [along, across] = down ? [height, width] : [width, height];
  const at = (far: number, side: number): string =>
    down ? `${round(x + side)} ${round(y + far)}` : `${round(x + far)} ${round(y + side)}`;
  let drawn = "";
  // Lines of one plank sway together, as rings of one tree do.
  const [sway, turn] = [(0.05 + next() * 0.08) * across, next() * 6.3];
  for (let line = 0; line < lines; line++) {
    const side = ((line + 0.25 + next() * 0.5) / lines) * across;
    const begin = next() < 0.15 ? next() * along * 0.4 : 0;
    const end = next() < 0.15 ? along * (0.65 + next() * 0.35) : along;
    const bend = (far: number): number =>
      Math.min(across - 1, Math.max(1, side + Math.sin(turn + (far / along) * 3.2 + line * 0.15) * sway));
    const middle = (begin + end) / 2;
    drawn += `M${at(begin, bend(begin))}Q${at((begin + middle) / 2, bend((begin + middle) / 2))} ${at(middle, bend(middle))}T${at(end, bend(end))}`;
  }
  return drawn;
}
