/** Where the page keeps a place for a part of the board: a board's parts stand there wherever the page has put the place. */
import type { Attachment } from "svelte/attachments";

/** What is done now, always in sight; and what may be looked up. */
export type Dock = "turn" | "panels";

class Docks {
  turn = $state.raw<Element | undefined>();
  panels = $state.raw<Element | undefined>();
}

const docks = new Docks();

/** Returns what makes an element the place of a dock. */
export function dockPlace(name: Dock): Attachment {
  return (element) => {
    docks[name] = element;
    return () => {
      if (docks[name] === element) docks[name] = undefined;
    };
  };
}

/** Returns what moves an element to a dock while there is one; elsewhere it stays where it is written. */
export function docked(name: Dock): Attachment {
  return (element) => {
    const place = docks[name];
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
