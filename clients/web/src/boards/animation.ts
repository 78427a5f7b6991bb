/** Animations: short motions of what is drawn. They change nothing, and players who want reduced motion see none. */

let calm: MediaQueryList | undefined;

/** Returns whether the player does not want to see things move; nothing moves either where pages are tested without a browser. */
export function still(): boolean {
  const { matchMedia } = globalThis as { matchMedia?: typeof globalThis.matchMedia };
  calm ??= matchMedia?.("(prefers-reduced-motion: reduce)");
  return calm?.matches !== false;
}

/** Plays an animation on an element; returns nothing where none is to be seen. */
export function animate(
  element: Element | null | undefined,
  frames: Keyframe[],
  options: KeyframeAnimationOptions,
): Animation | undefined {
  const play = (element as { animate?: Element["animate"] } | null | undefined)?.animate;
  if (element == null || play === undefined || still()) return undefined;
  return play.call(element, frames, options);
}

/** Ends animations whose elements go: a browser draws frame after frame of what is no longer there. */
export function stop(animations: readonly (Animation | undefined)[]): void {
  for (const each of animations) each?.cancel();
}
