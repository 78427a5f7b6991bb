/** Movement of what is drawn, for those who want to see it. */

/** How long an army takes for a step, in milliseconds. */
export const STEP_MS = 110;

/** Lets an element go along a line of places to where it is drawn, the last of them; nothing moves for those who want it so. */
export function glide(
  element: Element | null | undefined,
  places: readonly { readonly x: number; readonly y: number }[],
  to: { readonly x: number; readonly y: number },
  stepMs: number,
): void {
  // Neither is there where pages are tested without a browser.
  const { matchMedia } = globalThis as { matchMedia?: typeof globalThis.matchMedia };
  const move = (element as { animate?: Element["animate"] } | null | undefined)?.animate;
  if (element == null || move === undefined || matchMedia?.("(prefers-reduced-motion: reduce)").matches !== false)
    return;
  const frames = places.map(({ x, y }) => ({ transform: `translate(${x - to.x}px, ${y - to.y}px)` }));
  move.call(element, frames, { duration: stepMs * places.length, easing: "ease-in-out" });
}
