/** One WebSocket that comes back: opened again after every loss, with growing, jittered waits. */
import { backoff, type BackoffRange } from "./backoff";

/** The part of a WebSocket that is used. */
export interface Socket {
  binaryType: BinaryType;
  readonly readyState: number;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent<ArrayBuffer>) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  onerror: ((event: Event) => void) | null;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

/** The foundation of a reconnecting socket. */
export interface Ground {
  /** Opens a socket to the server. */
  open(): Socket;
  random(): number;
  readonly backoffRange: BackoffRange;
  /** How long a socket may take to open, in milliseconds. */
  readonly opening: number;
}

/** The events of a socket that comes back. */
export interface SocketEvents {
  opened(): void;
  received(frame: Uint8Array): void;
  /** The socket is gone; another try comes in `waitMs` milliseconds. */
  lost(waitMs: number): void;
}

const OPEN = 1;
/** The close code of a server that ends in order, when others are there already (RFC 6455, 7.4.1). */
const GOING_AWAY = 1001;
/** The longest wait then, in milliseconds: clients of a server do not all come at once, and nobody notices. */
const ELSEWHERE_MS = 200;

export class ReconnectingSocket {
  readonly #ground: Ground;
  readonly #events: SocketEvents;
  #socket: Socket | undefined;
  #attempt = 0;
  /** Until the next try, or until the present one has taken too long. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(ground: Ground, events: SocketEvents) {
    this.#ground = ground;
    this.#events = events;
  }

  /** Opens the first socket, or at once the next one when it waits for its next try. */
  start(): void {
    if (this.#stopped || this.#socket !== undefined) return;
    clearTimeout(this.#timer);
    let socket: Socket;
    try {
      socket = this.#ground.open();
    } catch {
      this.#wait();
      return;
    }
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    this.#timer = setTimeout(() => this.drop(), this.#ground.opening);
    socket.onopen = () => {
      if (this.#socket !== socket) return;
      clearTimeout(this.#timer);
      this.#events.opened();
    };
    socket.onmessage = (event) => {
      if (this.#socket !== socket) return;
      this.#events.received(new Uint8Array(event.data));
    };
    // Every failure ends in a close. In Node.js an error that nobody listens to ends the program.
    socket.onerror = () => undefined;
    socket.onclose = (event) => {
      if (this.#socket === socket) this.#lose(event.code === GOING_AWAY);
    };
  }

  /** Tells that the server has proved to be well, so that the next wait is a short one again. */
  proved(): void {
    this.#attempt = 0;
  }

  /** Sends a frame; without an open socket it is dropped, since whoever sent it sends again once a socket opens. */
  send(frame: Uint8Array<ArrayBuffer>): void {
    if (this.#socket?.readyState === OPEN) this.#socket.send(frame);
  }

  /** Gives the present socket up, which says nothing any more, and opens another. */
  drop(): void {
    const socket = this.#socket;
    if (socket === undefined) return;
    this.#lose();
    socket.close();
  }

  /** Closes for good. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #lose(isSentElsewhere = false): void {
    clearTimeout(this.#timer);
    this.#socket = undefined;
    this.#wait(isSentElsewhere);
  }

  /** Opens another socket after a while; almost at once when the server, which was well, has sent its clients elsewhere. */
  #wait(isSentElsewhere = false): void {
    if (this.#stopped) return;
    const attempt = this.#attempt++;
    const wait =
      isSentElsewhere && attempt === 0
        ? this.#ground.random() * ELSEWHERE_MS
        : backoff(attempt, this.#ground.backoffRange, () => this.#ground.random());
    this.#timer = setTimeout(() => this.start(), wait);
    this.#events.lost(wait);
  }
}
