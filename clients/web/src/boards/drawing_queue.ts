/** Draws a page in parts: a slow device is not to hang until all of them are there. */
const waiting: (() => void)[] = [];

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setTimeout(next);
}

/**
 * Returns what is kept in a task of its own, after those of all earlier calls: what the browser has to do comes in between.
 * Undefined where nobody looks, since browsers let hidden pages wait a second for each task: all is drawn at once there.
 */
export function later(): Promise<void> | undefined {
  if (document.hidden) return undefined;
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setTimeout(next);
  });
}
