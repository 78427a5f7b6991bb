/**
 * A small board in an element, as a component of its own. The built page has written_board.ts in its place, which needs nothing of
 * Svelte in the browser; a server for development compiles components for all pages alike.
 */
import { flushSync, mount, unmount } from "svelte";
import type { SmallBoard, ThumbnailProps } from "../../boards/thumbnail";

let mounted: Record<string, unknown> | undefined;

/** Draws a board into an element, in place of what was drawn there before. */
export function draw({ Thumbnail }: SmallBoard, props: ThumbnailProps, target: Element): void {
  if (mounted !== undefined) void unmount(mounted);
  target.replaceChildren();
  mounted = mount(Thumbnail, { target, props });
  flushSync();
}
