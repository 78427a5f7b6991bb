/** Films: short motions of what is drawn. They change nothing, and whoever does not want to see things move sees none. */

/** Plays a film on an element; returns nothing where none is to be seen. */
export function film(
  element: Element | null | undefined,
  frames: Keyframe[],
  options: KeyframeAnimationOptions,
): Animation | undefined {
  // Neither is there where pages are tested without a browser.
  const { matchMedia } = globalThis as { matchMedia?: typeof globalThis.matchMedia };
  const animate = (element as { animate?: Element["animate"] } | null | undefined)?.animate;
  if (element == null || animate === undefined) return undefined;
  if (matchMedia?.("(prefers-reduced-motion: reduce)").matches !== false) return undefined;
  return animate.call(element, frames, options);
}
