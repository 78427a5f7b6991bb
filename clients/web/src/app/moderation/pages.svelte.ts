/** A list that comes page by page. */
import type { Refusal } from "@brettwerk/client/v1/errors";
import { refusalOf } from "@brettwerk/client/wire";

interface Page<T> {
  readonly items: readonly T[];
  readonly next: string;
}

export class Pages<T> {
  items = $state.raw<readonly T[]>([]);
  known = $state(false);
  refusal = $state.raw<Refusal | undefined>();
  next = $state("");
  readonly #ask: (token: string) => Promise<Page<T>>;

  constructor(ask: (token: string) => Promise<Page<T>>) {
    this.#ask = ask;
  }

  /** Asks for the first page anew. */
  async begin(): Promise<void> {
    await this.#take("", []);
  }

  /** Asks for the next page. */
  async more(): Promise<void> {
    await this.#take(this.next, this.items);
  }

  async #take(token: string, before: readonly T[]): Promise<void> {
    try {
      const page = await this.#ask(token);
      [this.items, this.next, this.refusal] = [[...before, ...page.items], page.next, undefined];
    } catch (error) {
      this.refusal = refusalOf(error);
    }
    this.known = true;
  }
}
