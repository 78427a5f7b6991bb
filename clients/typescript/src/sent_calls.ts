/** Calls without an answer: sent again on every socket, and whenever a refusal has passed, writes under the same request id. */
import { Reason, type Refusal } from "./generated/brettwerk/v1/errors_pb";
import type { Answer, Call, ConnectResponse } from "./generated/brettwerk/v1/play_pb";
import { refusalIn, type Asker, type Connection } from "./connection";
import { ownRefusal, Refused } from "./refused";

interface Sent extends Asker {
  readonly call: Call;
  attempts: number;
  resolve(answer: Answer): void;
  fail(refused: Refused): void;
}

/**
 * Returns when a call that was refused so often may be sent again; undefined when that would not help. If what it waits for fails,
 * the call is refused as it was.
 */
export type MayCallAgain = (refusal: Refusal, call: Call, attempts: number) => Promise<void> | undefined;

export class SentCalls {
  readonly #connection: Connection;
  readonly #mayCallAgain: MayCallAgain;
  readonly #all = new Set<Sent>();

  constructor(connection: Connection, mayCallAgain: MayCallAgain) {
    this.#connection = connection;
    this.#mayCallAgain = mayCallAgain;
  }

  /** How many calls have no answer yet. */
  get size(): number {
    return this.#all.size;
  }

  /**
   * Sends a call, as soon as the connection is open, and returns its answer. Raises Refused.
   *
   * @param signal gives the call up: the server need not go on with it. A Refused that it is aborted for is raised.
   */
  send(call: Call, signal?: AbortSignal): Promise<Answer> {
    return new Promise((resolve, fail) => {
      const sent: Sent = {
        call,
        resolve,
        fail,
        attempts: 0,
        quietMs: 0,
        heard: (response) => this.#heard(response, sent),
      };
      this.#all.add(sent);
      if (signal?.aborted === true) this.#giveUp(sent, signal.reason);
      signal?.addEventListener("abort", () => this.#giveUp(sent, signal.reason), { once: true });
      this.#ask(sent);
    });
  }

  /** Sends everything: a new socket is open. */
  askForAll(): void {
    for (const sent of this.#all) this.#ask(sent);
  }

  /** Refuses everything. */
  endAll(refused: Refused): void {
    for (const sent of this.#all) this.#fail(sent, refused);
  }

  #ask(sent: Sent): void {
    if (this.#connection.state === "open" && this.#all.has(sent))
      this.#connection.ask({ case: "call", value: sent.call }, sent);
  }

  #heard(response: ConnectResponse, sent: Sent): void {
    this.#connection.forget(response.id);
    this.#connection.proved();
    const refusal = refusalIn(response);
    if (refusal !== undefined) {
      const again = this.#mayCallAgain(refusal, sent.call, ++sent.attempts);
      const fail = (): void => this.#fail(sent, new Refused(refusal));
      if (again === undefined) fail();
      else again.then(() => this.#ask(sent), fail);
    } else if (response.kind.case === "answer" && this.#all.delete(sent)) {
      sent.resolve(response.kind.value);
    }
  }

  #fail(sent: Sent, refused: Refused): void {
    if (this.#all.delete(sent)) sent.fail(refused);
  }

  #giveUp(sent: Sent, reason: unknown): void {
    if (!this.#all.has(sent)) return;
    for (const id of this.#connection.askedBy(sent)) {
      this.#connection.forget(id);
      if (this.#connection.state === "open") this.#connection.ask({ case: "giveUp", value: { callId: id } });
    }
    const nobody = ownRefusal(Reason.UNSPECIFIED, "nobody waits for it any more");
    this.#fail(sent, reason instanceof Refused ? reason : nobody);
  }
}
