/** Which dialog is open, if one is. */
export type DialogName = "help" | "settings";

class Dialogs {
  open = $state<DialogName | undefined>();

  /** Opens a dialog, or closes it when it is open. */
  toggle(name: DialogName): void {
    this.open = this.open === name ? undefined : name;
  }
}

export const dialogs = new Dialogs();
