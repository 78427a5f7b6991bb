/** Arranging the six stones of a side before the first roll (EWN-BOARD-4). */

/** The start squares of White and Black in the order of EWN-BOARD-3. */
export const HOMES: readonly (readonly number[])[] = [
  [24, 23, 22, 19, 18, 14],
  [0, 1, 2, 5, 6, 10],
];

/** The arrangements of White and Black in the manual's picture. */
export const STANDARD: readonly (readonly number[])[] = [
  [5, 6, 4, 1, 3, 2],
  [1, 6, 3, 5, 2, 4],
];

/** Returns the arrangement in which the stones of two start squares have changed places. */
export function swap(stones: readonly number[], one: number, other: number): number[] {
  return stones.map((stone, index) => {
    if (index === one) return stones[other] ?? stone;
    if (index === other) return stones[one] ?? stone;
    return stone;
  });
}

/** Returns the arrangement in a random order. */
export function shuffle(stones: readonly number[], random: () => number): number[] {
  const left = [...stones];
  return stones.map(() => left.splice(Math.floor(random() * left.length), 1)[0] ?? 0);
}
