/**
 * The one way to the server: every call and every watch of a tab, over one socket that comes back.
 *
 * Calls are answered once, however often the socket breaks in between: what has no answer is sent again on the next socket,
 * writes under the same request id. Watches go on after the last version they have.
 */
import {
  type Asker,
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
  Refused,
  type RequestOf,
  type ResponseOf,
  responseTo,
  Watch,
  type Watcher,
} from "@brettwerk/client/wire";
import { Reason, type Refusal } from "@brettwerk/client/v1/errors";
import type { Answer, Call, ConnectResponse } from "@brettwerk/client/v1/play";
import { keepGrants } from "./grants";
import { Outbox } from "./outbox";
import { ServerTime } from "./server_time";
import type { Storage } from "./storage";
import type { Wallet } from "./wallet";

/** What a client is built on. */
export interface Surroundings extends Ground {
  readonly wallet: Wallet;
  /** Where writes without an answer are kept. */
  readonly outbox: Storage;
  /** How long the server may be silent while something is awaited, in milliseconds. */
  readonly silence: number;
  /** The name of a player who has not chosen one. */
  guestName(): string;
}

interface Pending extends Asker {
  readonly name: MethodName;
  readonly call: Call;
  /** The request id of a write that the outbox keeps. */
  readonly kept: string | undefined;
  attempts: number;
  resolve(answer: Answer): void;
  fail(refused: Refused): void;
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
  readonly #pending = new Set<Pending>();
  readonly #followings: Followings;
  readonly #later = new Set<ReturnType<typeof setTimeout>>();
  #becoming: Promise<void> | undefined;
  /** How often this socket had to make a player; a server that knows none of them is not asked for ever. */
  #made = 0;
  readonly #listeners = new Set<() => void>();
  #authenticated: (() => void) | undefined;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.wallet = surroundings.wallet;
    this.#outbox = new Outbox(surroundings.outbox);
    this.#connection = new Connection(surroundings, surroundings.silence, {
      opened: () => this.#opened(),
      lost: () => this.#authenticated?.(),
      doubted: () => void this.call("listGames", { pageSize: 1 }).catch(() => undefined),
    });
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
    for (const timer of this.#later) clearTimeout(timer);
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
    if (this.#pending.size >= MAX_PENDING) throw ownRefusal(Reason.FULL, "too many requests wait for the server");
    const requestId = newRequestId();
    const call = makeCall(name, request, requestId);
    // An identity that nobody waits for is of no use, so CreatePlayer is not kept.
    const kept = isWrite(name) && name !== "createPlayer" ? requestId : undefined;
    if (kept !== undefined) this.#outbox.add(kept, call);
    const answer = await new Promise<Answer>((resolve, fail) => {
      const pending = this.#await({ name, call, kept, resolve, fail });
      signal?.addEventListener("abort", () => this.#giveUp(pending), { once: true });
      if (this.state === "open") this.#send(pending);
    });
    const response = responseTo(name, answer);
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
      this.#connection.ask({ case: "authenticate", value: { playerToken: token } }, { patient: false, heard });
    });
  }

  #ready(): void {
    if (!this.#connection.ready()) return;
    for (const pending of this.#pending) this.#send(pending);
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

  #await(about: Omit<Pending, keyof Asker | "attempts">): Pending {
    const pending: Pending = {
      ...about,
      attempts: 0,
      patient: false,
      heard: (response) => this.#answered(response, pending),
    };
    this.#pending.add(pending);
    return pending;
  }

  #send(pending: Pending): void {
    this.#connection.ask({ case: "call", value: pending.call }, pending);
  }

  #answered(response: ConnectResponse, pending: Pending): void {
    this.#connection.forget(response.id);
    this.#connection.proved();
    const refusal = refusalIn(response);
    if (refusal !== undefined) {
      this.#refused(pending, refusal);
    } else if (response.kind.case === "answer") {
      keepGrants(this.wallet, pending.call, response.kind.value);
      this.#finish(pending);
      pending.resolve(response.kind.value);
    }
  }

  #refused(pending: Pending, refusal: Refusal): void {
    const mayTryAgain = ++pending.attempts < MAX_ATTEMPTS;
    if (mayTryAgain && isPassing(refusal) && refusal.retryAfterMs <= LONGEST_WAIT) {
      const { backoffRange } = this.#surroundings;
      const wait = Math.max(
        refusal.retryAfterMs,
        backoff(pending.attempts - 1, backoffRange, () => this.#surroundings.random()),
      );
      this.#after(wait, () => {
        if (this.#pending.has(pending) && this.state === "open") this.#send(pending);
      });
    } else if (mayTryAgain && refusal.reason === Reason.NO_TOKEN && pending.name !== "createPlayer") {
      this.#become(this.#surroundings.guestName()).then(
        () => this.#pending.has(pending) && this.#send(pending),
        () => this.#fail(pending, refusal),
      );
    } else {
      this.#fail(pending, refusal);
    }
  }

  #fail(pending: Pending, refusal: Refusal): void {
    this.#finish(pending);
    pending.fail(new Refused(refusal));
  }

  /** Ends a call that nobody waits for, and tells the server so. */
  #giveUp(pending: Pending): void {
    if (!this.#pending.has(pending)) return;
    for (const id of this.#connection.askedBy(pending)) {
      this.#connection.forget(id);
      if (this.state === "open") this.#connection.ask({ case: "giveUp", value: { callId: id } });
    }
    this.#finish(pending);
    pending.fail(ownRefusal(Reason.UNSPECIFIED, "nobody waits for it any more"));
  }

  #finish(pending: Pending): void {
    this.#pending.delete(pending);
    if (pending.kept !== undefined) this.#outbox.remove(pending.kept);
  }

  /** Goes on with a write of an earlier page, whose caller is gone; what it brings goes into the wallet. */
  #adopt(requestId: string, call: Call): void {
    if (call.request.case === undefined) return;
    const nobody = (): void => undefined;
    this.#await({ name: call.request.case, call, kept: requestId, resolve: nobody, fail: nobody });
  }

  #after(wait: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#later.delete(timer);
      act();
    }, wait);
    this.#later.add(timer);
  }

  #mayAskAgain(refusal: Refusal, followed: Followed): Promise<void> | undefined {
    // Nobody becomes a player only to get news.
    const becomes = refusal.reason === Reason.NO_TOKEN && !followed.isOfPlayer;
    if (becomes) return this.#become(this.#surroundings.guestName());
    if (!isPassing(refusal)) return undefined;
    const wait = Math.max(refusal.retryAfterMs, this.#surroundings.backoffRange.first);
    return new Promise((resolve) => this.#after(wait, resolve));
  }
}
