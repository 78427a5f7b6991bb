/** An engraver's drawings on a map: the lines of water along coasts, mountains, seals of wax. */
import { randomNumbers } from "../../texture";
import { COUNTRIES } from "../world";

/** Returns the coasts and borders of countries as one path. */
export function landOf(drawn?: ReadonlySet<number>): string {
  return COUNTRIES.map(({ path }, country) => (drawn?.has(country) === false ? "" : path)).join("");
}

/** Where mountains are drawn, and how high. */
const PEAKS = [
  [104, 118, 1],
  [112, 131, 1.1],
  [106, 187, 1],
  [116, 210, 1.1],
  [122, 226, 1],
  [247, 418, 1],
  [246, 500, 1.1],
  [252, 530, 1],
  [470, 148, 0.9],
  [452, 108, 1],
  [618, 95, 1],
  [612, 122, 1.1],
  [688, 246, 1],
  [702, 262, 1.2],
  [716, 268, 1.2],
  [731, 272, 1],
  [752, 205, 0.9],
  [770, 100, 1],
  [784, 108, 1.1],
  [858, 112, 1],
  [886, 118, 0.9],
  [402, 268, 0.9],
  [414, 262, 1],
  [560, 300, 0.9],
  [516, 478, 0.9],
  [556, 362, 1],
] as const;

/** Returns mountains, and the shade on their sides. */
export function mountains(): { outlines: string; shades: string } {
  let [outlines, shades] = ["", ""];
  for (const [x, y, size] of PEAKS) {
    const [w, h] = [7 * size, 9 * size];
    outlines += `M${x - w} ${y}Q${x - w / 3} ${y - h * 0.4} ${x} ${y - h}Q${x + w / 4} ${y - h * 0.5} ${x + w} ${y}`;
    for (const at of [0.2, 0.45, 0.7]) shades += `M${x + w * at} ${y - h * (1 - at)}l${-w * 0.22} ${h * (0.9 - at)}`;
  }
  return { outlines, shades };
}

const SEALS = 7;
const round = (value: number): number => Math.round(value * 100) / 100;

/** Outlines of wax that was pressed, about 1 in radius; no two alike. */
export const seals: readonly string[] = Array.from({ length: SEALS }, (_, seed) => {
  const next = randomNumbers(seed + 11);
  const lobes = 9;
  const points = Array.from({ length: lobes }, (__, lobe) => {
    const angle = ((lobe + next() * 0.35) / lobes) * 2 * Math.PI;
    const far = 0.96 + next() * 0.13;
    return [Math.cos(angle) * far, Math.sin(angle) * far] as const;
  });
  const between = (one: number): string => {
    const [a, b] = [points[one % lobes] ?? [0, 0], points[(one + 1) % lobes] ?? [0, 0]];
    return `${round((a[0] + b[0]) / 2)} ${round((a[1] + b[1]) / 2)}`;
  };
  // Through the middles between points, bulging towards the points.
  return `M${between(0)}${points
    .map((__, lobe) => {
      const [x, y] = points[(lobe + 1) % lobes] ?? [0, 0];
      return `Q${round(x * 1.06)} ${round(y * 1.06)} ${between(lobe + 1)}`;
    })
    .join("")}Z`;
});

/** Returns the outline of wax for a country. */
export function sealOf(seed: number): string {
  return seals[seed % SEALS] ?? "";
}
