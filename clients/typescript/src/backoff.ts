/** How long to wait between tries. */

export interface BackoffRange {
  /** The longest first wait, in milliseconds. */
  readonly first: number;
  /** The longest wait of all, in milliseconds. */
  readonly most: number;
}

/**
 * Returns how long to wait before try number `attempt` (from 0), in milliseconds.
 *
 * The ceiling doubles with every try up to `most`; the wait is drawn from the ceiling's upper half, so that clients that
 * lost the same server do not come back together.
 */
export function backoff(attempt: number, backoffRange: BackoffRange, random: () => number): number {
  const ceiling = Math.min(backoffRange.most, backoffRange.first * 2 ** Math.min(attempt, 30));
  return ceiling / 2 + (random() * ceiling) / 2;
}
