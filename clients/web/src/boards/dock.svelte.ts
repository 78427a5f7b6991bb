/** Where the page keeps a place for a part of the board: a board's parts stand there wherever the page has put the place. */
import type { Attachment } from "svelte/attachments";
import { MediaQuery, SvelteMap } from "svelte/reactivity";

/** Docks: the present action, always in sight; others' actions, beside it; what belongs to it; and what may be looked up. */
type Dock = "turn" | "story" | "panels" | "papers";

/** Whether a window has room for what the others have done beside what is done now. */
export const roomBeside = new MediaQuery("min-width: 78rem");

/** A dialog has places of its own: the board in it is another one than that of the page below. */
type Around = Element | undefined;

const docks: Readonly<Record<Dock, SvelteMap<Around, Element>>> = {
  turn: new SvelteMap(),
  story: new SvelteMap(),
  panels: new SvelteMap(),
  papers: new SvelteMap(),
};

const around = (element: Element): Around => element.closest("dialog") ?? undefined;

/** Returns what makes an element the place of a dock. */
export function dockPlace(name: Dock): Attachment {
  return (element) => {
    const where = around(element);
    docks[name].set(where, element);
    return () => {
      if (docks[name].get(where) === element) docks[name].delete(where);
    };
  };
}

/** Returns what moves an element to a dock while there is one; elsewhere it stays where it is written. */
export function docked(name: Dock): Attachment {
  return (element) => {
    const place = docks[name].get(around(element));
    if (place === undefined) return;
    const home = document.createComment(name);
    element.replaceWith(home);
    place.append(element);
    return () => {
      // Where its board is gone, this only takes it off the page.
      home.replaceWith(element);
    };
  };
}
