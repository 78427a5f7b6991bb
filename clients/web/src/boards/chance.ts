/** Chances as they are written, which never promise more than they hold. */

/**
 * Returns a chance (0 to 1) in percent. What can still go either way is never written as all or nothing, however near it comes;
 * `decided` says that this is a fact: what came of a game, or what cannot be.
 */
export function percent(chance: number, decided = false): string {
  if (decided && (chance === 0 || chance === 1)) return `${100 * chance} %`;
  if (chance > 0.99) return "> 99 %";
  return chance < 0.01 ? "< 1 %" : `${Math.round(chance * 100)} %`;
}
