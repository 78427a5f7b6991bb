/**
 * The connection to the server: what was asked on the present socket and by whom, and whether somebody is still there.
 *
 * Every socket begins with nothing asked. Whoever wants an answer asks again once the connection is open.
 */
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { ReconnectingSocket, type Ground } from "./reconnecting_socket";
import type { Refusal } from "./generated/brettwerk/v1/errors_pb";
import { ConnectRequestSchema, ConnectResponseSchema, type ConnectResponse } from "./generated/brettwerk/v1/play_pb";

/** How the connection is: not open yet, in order, or broken until the next try. */
export type ConnectionState = "opening" | "open" | "broken";

/** What can be asked. */
export type Question = NonNullable<
  Extract<MessageInitShape<typeof ConnectRequestSchema>, { $typeName?: never }>["kind"]
>;

/** Who asked something. */
export interface Asker {
  /** Whether it has its answer and listens for news, so that silence says nothing. */
  readonly patient: boolean;
  heard(response: ConnectResponse): void;
}

/** What a connection tells. */
export interface ConnectionEvents {
  /** A socket has opened; it is used once somebody says that the connection is ready. */
  opened(): void;
  lost(): void;
  /** Nothing was heard for long, and only patient ones listen: something is to be asked to learn more. */
  doubted(): void;
}

export class Connection {
  readonly #events: ConnectionEvents;
  readonly #socket: ReconnectingSocket;
  /** How long the server may be silent while something is awaited, in milliseconds. */
  readonly #silence: number;
  readonly #read: (frame: Uint8Array) => ConnectResponse;
  readonly #listeners = new Set<(state: ConnectionState) => void>();
  /** Who asked what has which id on this socket. */
  readonly #askers = new Map<bigint, Asker>();
  #nextId = 1n;
  #state: ConnectionState = "opening";
  #heard = 0;
  #guard: ReturnType<typeof setInterval> | undefined;

  /** `read` returns the response in a frame, and raises an Error when the frame is none. */
  constructor(ground: Ground, silence: number, events: ConnectionEvents, read = responseIn) {
    this.#events = events;
    this.#silence = silence;
    this.#read = read;
    this.#socket = new ReconnectingSocket(ground, {
      opened: () => this.#opened(),
      received: (frame) => this.#received(frame),
      lost: () => this.#lost(),
    });
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Opens the connection, or tries again at once when it waits for its next try. */
  start(): void {
    this.#socket.start();
    this.#guard ??= setInterval(() => this.#listen(), this.#silence / 3);
  }

  /** Gives the present socket up and opens another. */
  drop(): void {
    this.#socket.drop();
  }

  /** Closes the connection for good. */
  stop(): void {
    clearInterval(this.#guard);
    this.#socket.stop();
  }

  /** Tells `listener` how the connection is whenever that changes. Returns the way to end it. */
  onState(listener: (state: ConnectionState) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The socket can be used for everything from now on. Returns whether that is new. */
  ready(): boolean {
    if (this.#state === "open") return false;
    this.#setState("open");
    return true;
  }

  /** Tells that the server has proved to be well. */
  proved(): void {
    this.#socket.proved();
  }

  /** Asks something; `asker` hears what is answered until the id of that is forgotten. */
  ask(kind: Question, asker?: Asker): void {
    const id = this.#nextId++;
    if (asker !== undefined) this.#askers.set(id, asker);
    this.#socket.send(toBinary(ConnectRequestSchema, create(ConnectRequestSchema, { id, kind })));
  }

  /** Returns the ids of what `asker` has asked on this socket and still listens to. */
  askedBy(asker: Asker): bigint[] {
    return [...this.#askers].filter(([, each]) => each === asker).map(([id]) => id);
  }

  /** Passes nothing more on of what is answered to an id. */
  forget(id: bigint): void {
    this.#askers.delete(id);
  }

  #opened(): void {
    this.#askers.clear();
    this.#nextId = 1n;
    this.#heard = Date.now();
    this.#events.opened();
  }

  #lost(): void {
    this.#askers.clear();
    this.#events.lost();
    this.#setState("broken");
  }

  /** Gives up a socket that is silent while an answer is awaited; if only news is awaited, it reports its doubts first. */
  #listen(): void {
    if (this.#askers.size === 0 || this.#state === "broken") return;
    if (Date.now() - this.#heard <= this.#silence) return;
    if ([...this.#askers.values()].every((asker) => asker.patient)) {
      this.#heard = Date.now();
      this.#events.doubted();
    } else {
      this.#socket.drop();
    }
  }

  #setState(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }

  #received(frame: Uint8Array): void {
    this.#heard = Date.now();
    let response: ConnectResponse;
    try {
      response = this.#read(frame);
    } catch {
      this.#socket.drop();
      return;
    }
    this.#askers.get(response.id)?.heard(response);
  }
}

function responseIn(frame: Uint8Array): ConnectResponse {
  return fromBinary(ConnectResponseSchema, frame);
}

/** Returns the refusal in a response, if it is one. */
export function refusalIn(response: ConnectResponse): Refusal | undefined {
  const { kind } = response;
  if (kind.case === "refusal") return kind.value;
  if (kind.case === "answer" && kind.value.response.case === "refusal") return kind.value.response.value;
  return undefined;
}
