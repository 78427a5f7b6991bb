/** Films: short motions of what is drawn. They change nothing, and whoever does not want to see things move sees none. */

let calm: MediaQueryList | undefined;

/** Returns whether the player does not want to see things move; nothing moves either where pages are tested without a browser. */
export function still(): boolean {
  const { matchMedia } = globalThis as { matchMedia?: typeof globalThis.matchMedia };
  calm ??= matchMedia?.("(prefers-reduced-motion: reduce)");
  return calm?.matches !== false;
}

/** Plays a film on an element; returns nothing where none is to be seen. */
export function film(
  element: Element | null | undefined,
  frames: Keyframe[],
  options: KeyframeAnimationOptions,
): Animation | undefined {
  const animate = (element as { animate?: Element["animate"] } | null | undefined)?.animate;
  if (element == null || animate === undefined || still()) return undefined;
  return animate.call(element, frames, options);
}

/** Ends films whose elements go: a browser draws frame after frame for a film of what is no longer there. */
export function stop(films: readonly (Animation | undefined)[]): void {
  for (const each of films) each?.cancel();
}
