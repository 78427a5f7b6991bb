/** A page's request to the server: the answer, or why there is none. */
import type { Refusal } from "@brettwerk/client/v1/errors";
import { refusalOf } from "@brettwerk/client/wire";

export class Query<Value> {
  /** The newest answer; it stays while the next one is awaited. */
  value = $state.raw<Value | undefined>();
  refusal = $state.raw<Refusal | undefined>();
  #question: (() => Promise<Value>) | undefined;
  /** Counts the questions: what an earlier one brings comes too late. */
  #asked = 0;

  /** Asks a question in place of the one before. */
  ask(question: () => Promise<Value>): void {
    this.#question = question;
    const number = ++this.#asked;
    const isNewest = (): boolean => number === this.#asked;
    this.refusal = undefined;
    question().then(
      (value) => {
        if (isNewest()) this.value = value;
      },
      (error: unknown) => {
        if (isNewest()) this.refusal = refusalOf(error);
      },
    );
  }

  /** Asks the last question again. */
  again(): void {
    if (this.#question !== undefined) this.ask(this.#question);
  }
}
