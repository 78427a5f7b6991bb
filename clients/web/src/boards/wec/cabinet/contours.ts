/** The lines of equal height of a field map: hills, each a few curves around a middle. */
import { randomNumbers } from "../../texture";

/** Where hills are, how wide and how many lines they have. */
const HILLS = [
  [180, 230, 260, 6],
  [760, 160, 210, 5],
  [520, 560, 290, 7],
  [120, 820, 220, 5],
  [880, 780, 250, 6],
] as const;
const POINTS = 14;

const round = (value: number): number => Math.min(1000, Math.max(0, Math.round(value)));

/** Returns all curves as a path within 0 to 1000. */
export function contours(): string {
  let drawn = "";
  HILLS.forEach(([x, y, wide, lines], hill) => {
    const next = randomNumbers(hill + 21);
    const waves = [2, 3, 5].map((times) => ({ times, turn: next() * 6.3, far: (0.16 + next() * 0.1) / times }));
    for (let line = 1; line <= lines; line++) {
      const points = Array.from({ length: POINTS }, (_, index) => {
        const angle = (index / POINTS) * 2 * Math.PI;
        const sway = waves.reduce((sum, { times, turn, far }) => sum + Math.sin(angle * times + turn) * far, 1);
        const far = (wide * line * sway) / lines;
        return [x + Math.cos(angle) * far, y + Math.sin(angle) * far] as const;
      });
      const at = (index: number): readonly [number, number] => points[index % POINTS] ?? [x, y];
      const between = (index: number): string =>
        `${round((at(index)[0] + at(index + 1)[0]) / 2)} ${round((at(index)[1] + at(index + 1)[1]) / 2)}`;
      drawn += `M${between(0)}${points
        .map((_, index) => `Q${round(at(index + 1)[0])} ${round(at(index + 1)[1])} ${between(index + 1)}`)
        .join("")}Z`;
    }
  });
  return drawn;
}
