/** A board that is enlarged: within its pane it is scrolled like a page, and two fingers or a wheel with Control enlarge it. */
import { flushSync } from "svelte";
import type { Attachment } from "svelte/attachments";

/** How much a button or key enlarges. */
export const ZOOM_STEP = 1.5;
/** How many times as large a board is at most. */
const LARGEST = 4;

interface Place {
  readonly x: number;
  readonly y: number;
}

export class Zoom {
  /** How many times as large as its pane the board is. */
  scale = $state(1);
  #pane: HTMLElement | undefined;
  #fingers: { readonly apart: number; readonly middle: Place } | undefined;
  readonly #begin: () => void;

  /** `begin` is called when two fingers are on the board: what the first one began is not meant. */
  constructor(begin: () => void = () => undefined) {
    this.#begin = begin;
  }

  /** Makes an element the pane. */
  readonly pane: Attachment<HTMLElement> = (element) => {
    this.#pane = element;
    const touched = (event: TouchEvent): void => {
      this.#touched(event);
    };
    const wheel = (event: WheelEvent): void => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.to(this.scale * Math.exp(-event.deltaY / 120), { x: event.clientX, y: event.clientY });
    };
    const kinds = ["touchstart", "touchmove", "touchend", "touchcancel"] as const;
    for (const kind of kinds) element.addEventListener(kind, touched, { passive: false });
    element.addEventListener("wheel", wheel, { passive: false });
    return () => {
      for (const kind of kinds) element.removeEventListener(kind, touched);
      element.removeEventListener("wheel", wheel);
      this.#pane = undefined;
    };
  };

  /** Enlarges the board so many times; what is at a place of the window stays there, in the middle of what is seen otherwise. */
  to(scale: number, place?: Place): void {
    const before = this.scale;
    const now = Math.min(Math.max(scale, 1), LARGEST);
    const pane = this.#pane;
    if (pane === undefined || now === before) return;
    const { left, top, right, bottom } = pane.getBoundingClientRect();
    const middle = { x: (left + right) / 2, y: (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2 };
    const x = (place ?? middle).x - left;
    const y = (place ?? middle).y - top;
    const [across, down] = [pane.scrollLeft + x, pane.scrollTop + y];
    this.scale = now;
    flushSync();
    pane.scrollLeft = (across * now) / before - x;
    pane.scrollTop = (down * now) / before - y;
  }

  #touched(event: TouchEvent): void {
    const [one, other] = event.touches;
    const pane = this.#pane;
    if (one === undefined || other === undefined || pane === undefined) {
      this.#fingers = undefined;
      return;
    }
    event.preventDefault();
    const before = this.#fingers;
    const apart = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
    const middle = { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 };
    this.#fingers = { apart, middle };
    if (before === undefined) {
      this.#begin();
      return;
    }
    pane.scrollBy(before.middle.x - middle.x, before.middle.y - middle.y);
    this.to((this.scale * apart) / before.apart, middle);
  }
}
