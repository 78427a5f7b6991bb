/** A small board in an element, written as text: for components that are compiled to be written, not to be lived with. */
import { render } from "svelte/server";
import type { SmallBoard, ThumbnailProps } from "../../boards/thumbnail";

/** Draws a board into an element, in place of what was drawn there before. */
export function draw({ Thumbnail }: SmallBoard, props: ThumbnailProps, target: Element): void {
  target.innerHTML = render(Thumbnail, { props }).body;
}
