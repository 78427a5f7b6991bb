/** The talk at a table, for those who ask for one line after the other: each once, whatever the connection does. */
import type { Refusal } from "./generated/brettwerk/v1/errors_pb";
import type { Talk, TalkLine } from "./generated/brettwerk/v1/talk_pb";
import { AsyncQueue } from "./async_queue";
import type { Watcher } from "./watch";

export class TalkLines implements Watcher {
  readonly session: string;
  readonly seatToken: string;
  readonly #lines = new AsyncQueue<TalkLine>();
  #known = new Set<string>();

  constructor(session: string, seatToken: string) {
    this.session = session;
    this.seatToken = seatToken;
  }

  updated(): void {
    // Another watch tells what is played.
  }

  talked({ whole, lines }: Talk): void {
    const known = this.#known;
    // Lines that are kept no longer never come again.
    if (whole) this.#known = new Set(lines.map(({ id }) => id));
    for (const line of lines) {
      if (!known.has(line.id)) this.#lines.put(line);
      this.#known.add(line.id);
    }
  }

  ended(refusal: Refusal): void {
    this.#lines.end(refusal);
  }

  /** Returns the next line, as soon as there is one. Raises Refused when the watch has ended. */
  next(): Promise<TalkLine> {
    return this.#lines.next();
  }
}
