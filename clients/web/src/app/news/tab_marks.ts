/** The tab's signs of tables that wait for the player: their number in its title, and a mark in its icon. */

/** Marks the tab; pages go on setting their titles as if there were no mark. */
export class TabMarks {
  #count = 0;
  #words = "";
  /** The title without a mark, and the one that was set here. */
  #title = document.title;
  #written = document.title;

  /** Begins to look at the titles that pages set. */
  start(): void {
    new MutationObserver(() => this.#write()).observe(document.head, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  }

  /** Shows how many tables wait; `words` say what for. */
  mark(count: number, words: string): void {
    this.#count = count;
    this.#words = words;
    this.#write();
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    icon?.setAttribute("href", count > 0 ? "/favicon-turn.svg" : "/favicon.svg");
  }

  #write(): void {
    if (document.title !== this.#written) this.#title = document.title;
    const marked = this.#count > 0 ? `(${this.#count}) ${this.#words} – ${this.#title}` : this.#title;
    if (document.title !== marked) document.title = marked;
    this.#written = document.title;
  }
}
