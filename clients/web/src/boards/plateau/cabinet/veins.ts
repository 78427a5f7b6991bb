/** The veins of a stone. */
import { randomNumbers } from "../../texture";

const round = (value: number): number => Math.round(value);

/** Returns veins within a circle of a radius around 0 0. */
function vein(next: () => number, radius: number): string {
  const turn = next() * 2 * Math.PI;
  const [dx, dy] = [Math.cos(turn), Math.sin(turn)];
  const aside = (next() - 0.5) * 1.5 * radius;
  const long = Math.sqrt(Math.max(0, radius ** 2 - aside ** 2));
  const at = (far: number, sway: number): string =>
    `${round(dx * far - dy * (aside + sway))} ${round(dy * far + dx * (aside + sway))}`;
  const steps = 6;
  let drawn = `M${at(-long * 0.96, 0)}`;
  for (let step = 1; step <= steps; step++) {
    const far = -long * 0.96 + ((2 * long * 0.96) / steps) * step;
    const sway = step === steps ? 0 : (next() - 0.5) * 60;
    drawn += `Q${at(far - long / steps, sway + (next() - 0.5) * 50)} ${at(far, step === steps ? 0 : sway)}`;
  }
  return drawn;
}

/** Returns the veins of a disc. */
export function veins(radius: number, count: number, seed: number): string {
  const next = randomNumbers(seed);
  return Array.from({ length: count }, () => vein(next, radius)).join("");
}
