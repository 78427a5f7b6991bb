/**
 * The one way to the server: every call and every watch of a tab, over one socket that comes back.
 *
 * Calls are answered once, however often the socket breaks in between: what has no answer is sent again on the next socket,
 * writes under the same request id. Watches go on after the last version they have.
 */
import {
  backoff,
  Connection,
  type ConnectionState,
  type Followed,
  Followings,
  type Ground,
  isPassing,
  isWrite,
  makeCall,
  type MethodName,
  newRequestId,
  ownRefusal,
  refusalIn,
  type RequestOf,
  type ResponseOf,
  responseTo,
  SentCalls,
  Waits,
  Watch,
  type Watcher,
} from "@brettwerk/client/wire";
import { Reason, type Refusal } from "@brettwerk/client/v1/errors";
import type { Answer, Call, ConnectResponse } from "@brettwerk/client/v1/play";
import { keepGrants } from "./grants";
import { ListedActions } from "./listed_actions";
import { Outbox } from "./outbox";
import { ServerTime } from "./server_time";
import type { Storage } from "./storage";
import type { Wallet } from "./wallet";

/** The parts that a client is built on. */
export interface Surroundings extends Ground {
  readonly wallet: Wallet;
  /** Where writes without an answer are kept. */
  readonly outbox: Storage;
  /** How long the server may be silent beyond what is natural before that is doubted, in milliseconds. */
  readonly silenceTimeout: number;
  /** How long a write may have no answer before that is told, in milliseconds. */
  readonly late: number;
  /** The name of a player who has not chosen one. */
  guestName(): string;
}

const MAX_ATTEMPTS = 5;
const MAX_PENDING = 200;
/** How long a call waits by itself before it is repeated, in milliseconds; a longer wait is reported immediately. */
const LONGEST_WAIT = 10_000;

export class Client {
  readonly time = new ServerTime();
  readonly wallet: Wallet;
  readonly #surroundings: Surroundings;
  readonly #connection: Connection;
  readonly #outbox: Outbox;
  readonly #calls: SentCalls;
  readonly #followings: Followings;
  readonly #waits = new Waits();
  #becoming: Promise<void> | undefined;
  /** How often this socket had to make a player; a server that knows none of them is not asked for ever. */
  #made = 0;
  readonly #listeners = new Set<() => void>();
  /** Is told when a write has had no answer for long, and when all of those have one. */
  onLate: (isLate: boolean) => void = () => undefined;
  /** How many writes have had no answer for long. */
  #late = 0;
  #authenticated: (() => void) | undefined;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.wallet = surroundings.wallet;
    this.#outbox = new Outbox(surroundings.outbox);
    const events = {
      opened: (): void => this.#opened(),
      lost: (): void => this.#authenticated?.(),
    };
    const listed = new ListedActions();
    this.#connection = new Connection(surroundings, surroundings.silenceTimeout, events, (frame) => listed.read(frame));
    this.#calls = new SentCalls(this.#connection, (...refused) => this.#mayCallAgain(...refused));
    this.#followings = new Followings(this.#connection, {
      timeReceived: (atMs) => this.time.note(atMs),
      mayAskAgain: (refusal, followed) => this.#mayAskAgain(refusal, followed),
    });
    for (const [requestId, call] of this.#outbox.calls) this.#adopt(requestId, call);
  }

  /** How the connection is. */
  get state(): ConnectionState {
    return this.#connection.state;
  }

  /** Returns a name for a player who has not chosen one. */
  guestName(): string {
    return this.#surroundings.guestName();
  }

  /** How many writes have no answer yet. */
  get unanswered(): number {
    return this.#outbox.calls.size;
  }

  /** Opens the connection, or tries again at once when it waits for its next try. */
  start(): void {
    this.#connection.start();
  }

  /** Gives the connection up and tries again: the network under it is gone, and its socket may not know that for a long time. */
  interrupt(): void {
    this.#connection.drop();
  }

  /** Closes the connection for good. */
  stop(): void {
    this.#waits.end();
    this.#connection.stop();
  }

  /** Tells `listener` how the connection is whenever that changes. Returns the way to end it. */
  onState(listener: (state: ConnectionState) => void): () => void {
    return this.#connection.onState(listener);
  }

  /** Tells `listener` whenever the server has said who the player is. */
  onPlayer(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Calls a method. Raises Refused. A write is sent until it is answered, even by the next page after a reload.
   *
   * @param signal gives the call up: nobody waits for its answer then, which never comes.
   */
  async call<Name extends MethodName>(
    name: Name,
    request: RequestOf<Name>,
    signal?: AbortSignal,
  ): Promise<ResponseOf<Name>> {
    if (this.#calls.size >= MAX_PENDING) throw ownRefusal(Reason.FULL, "too many requests wait for the server");
    const requestId = newRequestId();
    const call = makeCall(name, request, requestId);
    // An identity that nobody waits for is of no use, so CreatePlayer is not kept.
    const kept = isWrite(name) && name !== "createPlayer" ? requestId : undefined;
    if (kept !== undefined) this.#outbox.add(kept, call);
    const response = responseTo(name, await this.#send(call, kept, signal));
    if (response === undefined) throw ownRefusal(Reason.INTERNAL, `the answer to ${name} is not one`);
    return response;
  }

  /** Becomes a player of this name; who is one already is the same player with another name. Raises Refused. */
  async become(name: string): Promise<void> {
    if (this.wallet.player?.name === name) return;
    if (this.wallet.player === undefined) await this.#become(name);
    else await this.keepPlayer(await this.call("renamePlayer", { name }));
  }

  /** Watches a session until the returned function is called. */
  watch(watcher: Watcher): () => void {
    return this.follow(new Watch(watcher));
  }

  /** Follows something until the returned function is called. */
  follow(followed: Followed): () => void {
    return this.#followings.follow(followed);
  }

  // --- who is calling

  #opened(): void {
    this.#made = 0;
    const player = this.wallet.player;
    if (player === undefined) this.#ready();
    else void this.#authenticate(player.token);
  }

  /** Says who is calling. Returns when that is known, or when the connection breaks: then the next socket begins with it. */
  #authenticate(token: string): Promise<void> {
    return new Promise((resolve) => {
      this.#authenticated?.();
      this.#authenticated = resolve;
      const heard = (response: ConnectResponse): void => this.#recognised(response);
      this.#connection.ask({ case: "authenticate", value: { playerToken: token } }, { quietMs: 0, heard });
    });
  }

  #ready(): void {
    if (!this.#connection.ready()) return;
    this.#calls.askForAll();
    this.#followings.askForAll();
  }

  #recognised(response: ConnectResponse): void {
    this.#connection.forget(response.id);
    const refusal = refusalIn(response);
    if (refusal === undefined) {
      this.#connection.proved();
      this.#ready();
    } else if (refusal.reason === Reason.NO_TOKEN) {
      const name = this.wallet.player?.name ?? this.#surroundings.guestName();
      this.wallet.forgetPlayer();
      this.#ready();
      this.#become(name).catch(() => undefined);
    } else {
      this.#connection.drop();
    }
    this.#authenticated?.();
    this.#authenticated = undefined;
  }

  #become(name: string): Promise<void> {
    this.#becoming ??= this.#make(name).finally(() => (this.#becoming = undefined));
    return this.#becoming;
  }

  async #make(name: string): Promise<void> {
    if (++this.#made > MAX_ATTEMPTS) throw ownRefusal(Reason.NO_TOKEN, "the server knows none of its own players");
    await this.keepPlayer(await this.call("createPlayer", { name }));
  }

  /** Keeps who this is from now on, here and at the open socket. */
  async keepPlayer({
    playerId,
    playerToken,
    name,
  }: ResponseOf<"createPlayer" | "renamePlayer" | "signIn" | "signOutEverywhere">): Promise<void> {
    this.wallet.keepPlayer({ id: playerId, token: playerToken, name });
    if (this.state === "open") await this.#authenticate(playerToken);
    for (const listener of this.#listeners) listener();
  }

  // --- calls

  /** Sends a call. `kept` is the request id of a write that the outbox keeps until it is answered. */
  async #send(call: Call, kept: string | undefined, signal?: AbortSignal): Promise<Answer> {
    const answered = kept === undefined ? undefined : this.#awaitAnswer();
    try {
      const answer = await this.#calls.send(call, signal);
      keepGrants(this.wallet, call, answer);
      return answer;
    } finally {
      answered?.();
      if (kept !== undefined) this.#outbox.remove(kept);
    }
  }

  /** Tells it when an answer is late. Returns what is to be called once it is there. */
  #awaitAnswer(): () => void {
    let late = 0;
    const count = (change: number): void => {
      this.#late += change;
      late += change;
      this.onLate(this.#late > 0);
    };
    const timer = setTimeout(count, this.#surroundings.late, 1);
    return () => {
      clearTimeout(timer);
      if (late > 0) count(-1);
    };
  }

  /** Goes on with a write of an earlier page, whose caller is gone; what it brings goes into the wallet. */
  #adopt(requestId: string, call: Call): void {
    if (call.request.case !== undefined) this.#send(call, requestId).catch(() => undefined);
  }

  #mayCallAgain(refusal: Refusal, { request }: Call, attempts: number): Promise<void> | undefined {
    if (attempts >= MAX_ATTEMPTS) return undefined;
    if (isPassing(refusal) && refusal.retryAfterMs <= LONGEST_WAIT) {
      const { backoffRange } = this.#surroundings;
      const wait = backoff(attempts - 1, backoffRange, () => this.#surroundings.random());
      return this.#waits.after(Math.max(refusal.retryAfterMs, wait));
    }
    const becomes = refusal.reason === Reason.NO_TOKEN && request.case !== "createPlayer";
    return becomes ? this.#become(this.#surroundings.guestName()) : undefined;
  }

  #mayAskAgain(refusal: Refusal, followed: Followed): Promise<void> | undefined {
    // Nobody becomes a player only to get news.
    const becomes = refusal.reason === Reason.NO_TOKEN && !followed.isOfPlayer;
    if (becomes) return this.#become(this.#surroundings.guestName());
    if (!isPassing(refusal)) return undefined;
    return this.#waits.after(Math.max(refusal.retryAfterMs, this.#surroundings.backoffRange.first));
  }
}
