/** The target of the first steps: one part of the page at a time has `data-tour-target`. */
import type { Attachment } from "svelte/attachments";

class Pointer {
  /** The name of the part that is pointed at; empty when none is. */
  at = $state("");
}

export const pointer = new Pointer();

/** Returns what makes an element the part of that name. */
export function tourTarget(name: string): Attachment {
  return (element) => {
    element.toggleAttribute("data-tour-target", pointer.at === name);
  };
}
