/**
 * The connection to the server: what was asked on the present socket and by whom, and whether somebody is still there.
 *
 * Every socket begins with nothing asked. Those who want an answer ask again once the connection is open.
 */
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { ReconnectingSocket, type Ground } from "./reconnecting_socket";
import type { Refusal } from "./generated/brettwerk/v1/errors_pb";
import { ConnectRequestSchema, ConnectResponseSchema, type ConnectResponse } from "./generated/brettwerk/v1/play_pb";

/** How the connection is: not open yet, in order, or broken until the next try. */
export type ConnectionState = "opening" | "open" | "broken";

/** A question that can be asked. */
export type Question = NonNullable<
  Extract<MessageInitShape<typeof ConnectRequestSchema>, { $typeName?: never }>["kind"]
>;

/** The sender of a question. */
export interface Asker {
  /** How long it may hear nothing by nature, in milliseconds: until the next sign of life; 0 where an answer is awaited. */
  readonly quietMs: number;
  heard(response: ConnectResponse): void;
}

/** The events of a connection. */
export interface ConnectionEvents {
  /** A socket has opened; it is used once somebody says that the connection is ready. */
  opened(): void;
  lost(): void;
}

interface Asked {
  readonly asker: Asker;
  readonly at: number;
}

/** The longest time between two looks at whether the server is still there, in milliseconds. */
const LOOK_MS = 1000;
/** To a server it is no error to give up a call that was never made: the cheapest thing to ask of it. */
const SIGN_OF_LIFE: Question = { case: "giveUp", value: { callId: 0n } };

export class Connection {
  readonly #events: ConnectionEvents;
  readonly #socket: ReconnectingSocket;
  /** How long the server may be silent beyond what is natural before it is asked for a sign of life, and with that. */
  readonly #silenceTimeout: number;
  readonly #read: (frame: Uint8Array) => ConnectResponse;
  readonly #listeners = new Set<(state: ConnectionState) => void>();
  /** The askers of the questions on this socket, by id. */
  readonly #askers = new Map<bigint, Asked>();
  #nextId = 1n;
  #state: ConnectionState = "opening";
  /** When something was heard last, and when a sign of life was asked for since then. By a clock that nobody sets. */
  #heard = 0;
  #doubted: number | undefined;
  #guard: ReturnType<typeof setInterval> | undefined;

  /**
   * @param silenceTimeout how long the server may be silent beyond what is natural, in milliseconds: after that it is asked for a sign
   *   of life, and after as long again the socket is given up for another.
   * @param read returns the response in a frame, and raises an Error when the frame is none.
   */
  constructor(ground: Ground, silenceTimeout: number, events: ConnectionEvents, read = responseIn) {
    this.#events = events;
    this.#silenceTimeout = silenceTimeout;
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

  /** Opens the connection; when it waits for its next try, or its server is silent, something is done about it at once. */
  start(): void {
    this.#socket.start();
    this.#guard ??= setInterval(() => this.#listen(), Math.min(LOOK_MS, this.#silenceTimeout / 4));
    this.#listen();
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
    if (asker !== undefined) this.#askers.set(id, { asker, at: performance.now() });
    this.#socket.send(toBinary(ConnectRequestSchema, create(ConnectRequestSchema, { id, kind })));
  }

  /** Returns the ids of what `asker` has asked on this socket and still listens to. */
  askedBy(asker: Asker): bigint[] {
    return [...this.#askers].filter(([, asked]) => asked.asker === asker).map(([id]) => id);
  }

  /** Passes nothing more on of what is answered to an id. */
  forget(id: bigint): void {
    this.#askers.delete(id);
  }

  #opened(): void {
    this.#askers.clear();
    this.#nextId = 1n;
    this.#listened();
    this.#events.opened();
  }

  #lost(): void {
    this.#askers.clear();
    this.#doubted = undefined;
    this.#events.lost();
    this.#setState("broken");
  }

  /** Asks a server that is silent for too long for a sign of life, and gives up the socket when none comes. */
  #listen(): void {
    const now = performance.now();
    if (this.#doubted !== undefined) {
      if (now - this.#doubted >= this.#silenceTimeout) this.#socket.drop();
    } else if (now >= this.#quietUntil() + this.#silenceTimeout) {
      this.#doubted = now;
      this.ask(SIGN_OF_LIFE);
    }
  }

  /** Returns until when silence is natural. */
  #quietUntil(): number {
    return Math.min(...[...this.#askers.values()].map(({ asker, at }) => Math.max(at, this.#heard) + asker.quietMs));
  }

  #listened(): void {
    this.#heard = performance.now();
    this.#doubted = undefined;
  }

  #setState(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }

  #received(frame: Uint8Array): void {
    this.#listened();
    let response: ConnectResponse;
    try {
      response = this.#read(frame);
    } catch {
      this.#socket.drop();
      return;
    }
    this.#askers.get(response.id)?.asker.heard(response);
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
