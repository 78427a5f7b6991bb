/** How the computers look: parts of one family of heads, drawn in 40 by 40. */

interface Look {
  /** The colour around the head and that of the head, as hues. */
  readonly hue: number;
  readonly head: number;
  readonly eyes: number;
  readonly mouth: number;
  readonly top: number;
}

export const HEADS: readonly string[] = [
  "M10 15a4 4 0 0 1 4-4h12a4 4 0 0 1 4 4v12a5 5 0 0 1-5 5H15a5 5 0 0 1-5-5z",
  "M20 10a11 11 0 0 1 0 22a11 11 0 0 1 0-22z",
  "M11 12q9-4 18 0v10q-1 8-9 11q-8-3-9-11z",
  "M14 11h12l5 10-5 11H14L9 21z",
];
export const EYES: readonly string[] = [
  "M15.5 17.5a2 2 0 1 0 .01 0zM24.5 17.5a2 2 0 1 0 .01 0z",
  "M12.5 17.5h6v4h-6zM21.5 17.5h6v4h-6z",
  "M13 20.5a2.5 2.5 0 0 1 5 0zM22 20.5a2.5 2.5 0 0 1 5 0z",
  "M12.5 16.5l6 2.5-1 2h-4zM27.5 16.5l-6 2.5 1 2h4z",
  "M12 17h16v4.5H12z",
];
export const MOUTHS: readonly string[] = [
  "M16 26q4 3 8 0",
  "M16 26.5h8",
  "M16.5 27.5q3.5-3 7 0",
  "M17 26.5l6-1.5",
  "M20 25.6a1.5 1.5 0 1 0 .01 0z",
];
export const TOPS: readonly string[] = [
  "M19 11V6h2v5zM20 3a2 2 0 1 0 .01 0z",
  "M11 12l-1-8 5 4 5-5 5 5 5-4-1 8z",
  "M9 13q11-12 22 0h2v2H7v-2z",
  "M14 11L12 4l4 6zM26 11l2-7-4 6z",
  "M12 11q1-6 8-6t8 6zM18 5l2-3 2 3z",
  "M10 12c2-8 8-8 10-3c2-5 8-5 10 3q-10-4-20 0z",
  "M20 10q-2-7 6-8q0 5-4 8z",
];

/** Hue, head, eyes, mouth and top of every level of the games that come along. */
const OWN: Readonly<Record<string, readonly [number, number, number, number, number]>> = {
  "einstein beginner": [95, 1, 0, 4, 6],
  "einstein easy": [150, 1, 2, 0, 3],
  "einstein normal": [200, 0, 0, 1, 0],
  "einstein strong": [265, 2, 2, 1, 2],
  "einstein best": [35, 1, 1, 0, 5],
  "einstein depth": [180, 3, 4, 4, 0],
  "emperado easy": [15, 0, 3, 0, 2],
  "emperado normal": [120, 1, 2, 1, 4],
  "emperado strong": [215, 2, 3, 2, 4],
  "emperado expert": [330, 2, 0, 3, 1],
  "plateau easy": [60, 0, 0, 0, 3],
  "plateau normal": [175, 1, 2, 3, 6],
  "plateau strong": [230, 3, 1, 1, 5],
  "plateau expert": [290, 2, 2, 0, 1],
  "wec easy": [5, 0, 1, 0, 0],
  "wec normal": [85, 3, 2, 1, 2],
  "wec strong": [250, 2, 3, 3, 1],
};

/** Returns how a level looks; one of a game that nothing is known of looks like itself wherever it is met, too. */
export function lookOf(game: string, level: string): Look {
  const name = `${game} ${level}`;
  let sum = 7;
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 1_000_003;
  const of = (parts: number, by: number): number => Math.floor(sum / by) % parts;
  const [hue, head, eyes, mouth, top] = OWN[name] ?? [
    of(36, 1) * 10,
    of(HEADS.length, 37),
    of(EYES.length, 151),
    of(MOUTHS.length, 757),
    of(TOPS.length, 3797),
  ];
  return { hue, head, eyes, mouth, top };
}
