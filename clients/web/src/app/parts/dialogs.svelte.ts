/** Which dialog is open, if one is. */
type DialogName = "help" | "settings";

class Dialogs {
  open = $state<DialogName | undefined>();
  /** The keys that the board answers which is shown, and what they do, in words. */
  keys = $state.raw<readonly { readonly key: string; readonly words: string }[]>([]);

  /** Opens a dialog, or closes it when it is open. */
  toggle(name: DialogName): void {
    this.open = this.open === name ? undefined : name;
  }
}

export const dialogs = new Dialogs();
