/** Where the focus goes when what was pressed by a key goes itself, or has nothing to do any more: to the board. */
import type { Attachment } from "svelte/attachments";

/** Returns the board's own stop of the Tab key: a cell of its grid, or the board as a whole. */
function stopOf(stage: Element): HTMLElement | SVGElement | undefined {
  const stops = ['[role="gridcell"][tabindex="0"]', '.board [tabindex="0"]'];
  return stops
    .flatMap((each) => [...stage.querySelectorAll<HTMLElement | SVGElement>(each)])
    .find((each) => each.checkVisibility());
}

/** Keeps the focus of those who play by keys on `stage` when buttons of this element go or are disabled. */
export function keptFocus(stage: () => Element | undefined): Attachment<HTMLElement> {
  return (turn) => {
    let pressed: HTMLButtonElement | undefined;

    function press({ target }: KeyboardEvent): void {
      pressed = (target instanceof Element ? target.closest("button") : null) ?? undefined;
    }
    function forget(): void {
      pressed = undefined;
    }
    const observer = new MutationObserver(() => {
      if (pressed === undefined || (pressed.isConnected && !pressed.disabled)) return;
      // Browsers take the focus from it at once, or with the next frame.
      const lost = [pressed, document.body, null].includes(document.activeElement as HTMLButtonElement | null);
      pressed = undefined;
      const around = stage();
      if (lost && around) stopOf(around)?.focus({ preventScroll: true });
    });

    turn.addEventListener("keydown", press);
    turn.addEventListener("pointerdown", forget);
    observer.observe(turn, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    return () => {
      turn.removeEventListener("keydown", press);
      turn.removeEventListener("pointerdown", forget);
      observer.disconnect();
    };
  };
}
