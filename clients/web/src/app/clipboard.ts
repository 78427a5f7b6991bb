/** The clipboard, which not every page may write: at plain http there is none, and players may have forbidden it. */

/** Puts a text on the clipboard. Returns whether it is there; else the player is shown it, to copy it themselves. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
