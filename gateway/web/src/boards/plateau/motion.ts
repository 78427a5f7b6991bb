/** How armies are seen to go their way. */
import { film } from "../film";

/** How long an army takes for a step, in milliseconds. */
export const STEP_MS = 110;

/** Lets an element go along a line of places to where it is drawn, the last of them; nothing moves for those who want it so. */
export function glide(
  element: Element | null | undefined,
  places: readonly { readonly x: number; readonly y: number }[],
  to: { readonly x: number; readonly y: number },
  stepMs: number,
): void {
  const frames = places.map(({ x, y }) => ({ transform: `translate(${x - to.x}px, ${y - to.y}px)` }));
  film(element, frames, { duration: stepMs * places.length, easing: "ease-in-out" });
}
