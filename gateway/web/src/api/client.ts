/**
 * The one way to the server: every call and every watch of a tab, over one socket that comes back.
 *
 * Calls are answered once, however often the socket breaks in between: what has no answer is sent again on the next socket,
 * writes under the same request id. Watches go on after the last version they have.
 */
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { backoff } from "./backoff";
import { isWrite, makeCall, newRequestId, responseTo, type MethodName, type RequestOf, type ResponseOf } from "./calls";
import { Connection, type Ground } from "./connection";
import { Reason, type Refusal } from "./generated/brettwerk/v1/errors_pb";
import {
  ConnectRequestSchema,
  ConnectResponseSchema,
  type Answer,
  type Call,
  type ConnectResponse,
} from "./generated/brettwerk/v1/play_pb";
import { keepGrants } from "./grants";
import { Outbox } from "./outbox";
import { isPassing, ownRefusal, Refused } from "./refused";
import { ServerTime } from "./server_time";
import type { Storage } from "./storage";
import type { Wallet } from "./wallet";
import { Watch, type Watcher } from "./watch";

/** What a client stands on. */
export interface Surroundings extends Ground {
  readonly wallet: Wallet;
  /** Where writes without an answer are kept. */
  readonly outbox: Storage;
  /** How long the server may be silent while something is awaited, in milliseconds. */
  readonly silence: number;
  /** The name of a player who has not chosen one. */
  guestName(): string;
}

/** How the line is: not open yet, in order, or broken until the next try. */
export type LineState = "opening" | "open" | "broken";

interface Pending {
  readonly name: MethodName;
  readonly call: Call;
  /** The request id of a write that the outbox keeps. */
  readonly kept: string | undefined;
  tries: number;
  settle(answer: Answer): void;
  fail(refused: Refused): void;
}

const MOST_TRIES = 5;
const MOST_PENDING = 200;

export class Client {
  readonly time = new ServerTime();
  readonly wallet: Wallet;
  readonly #surroundings: Surroundings;
  readonly #connection: Connection;
  readonly #outbox: Outbox;
  readonly #pending = new Set<Pending>();
  readonly #watches = new Set<Watch>();
  readonly #listeners = new Set<(state: LineState) => void>();
  readonly #later = new Set<ReturnType<typeof setTimeout>>();
  /** What the ids of this socket stand for. */
  readonly #ids = new Map<bigint, Pending | Watch | "authenticate">();
  #nextId = 1n;
  #state: LineState = "opening";
  #heard = 0;
  #guard: ReturnType<typeof setInterval> | undefined;
  #becoming: Promise<void> | undefined;
  /** How often this socket had to make a player; a server that knows none of them is not asked for ever. */
  #made = 0;
  #authenticated: (() => void) | undefined;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.wallet = surroundings.wallet;
    this.#outbox = new Outbox(surroundings.outbox);
    this.#connection = new Connection(surroundings, {
      opened: () => this.#opened(),
      received: (frame) => this.#received(frame),
      lost: () => this.#lost(),
    });
    for (const [requestId, call] of this.#outbox.calls) this.#adopt(requestId, call);
  }

  /** How the line is. */
  get state(): LineState {
    return this.#state;
  }

  /** Returns a name for a player who has not chosen one. */
  guestName(): string {
    return this.#surroundings.guestName();
  }

  /** How many writes have no answer yet. */
  get unanswered(): number {
    return this.#outbox.calls.size;
  }

  /** Opens the line, or tries again at once when it waits for its next try. */
  start(): void {
    this.#connection.start();
    this.#guard ??= setInterval(() => this.#listen(), this.#surroundings.silence / 3);
  }

  /** Closes the line for good. */
  stop(): void {
    clearInterval(this.#guard);
    for (const timer of this.#later) clearTimeout(timer);
    this.#connection.stop();
  }

  /** Tells `listener` how the line is whenever that changes. Returns the way to end it. */
  onState(listener: (state: LineState) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls a method. Raises Refused. A write is sent until it is answered, even by the next page after a reload. */
  async call<Name extends MethodName>(name: Name, request: RequestOf<Name>): Promise<ResponseOf<Name>> {
    if (this.#pending.size >= MOST_PENDING) throw ownRefusal(Reason.FULL, "too many requests wait for the server");
    const requestId = newRequestId();
    const call = makeCall(name, request, requestId);
    // An identity that nobody waits for is of no use, so CreatePlayer is not kept.
    const kept = isWrite(name) && name !== "createPlayer" ? requestId : undefined;
    if (kept !== undefined) this.#outbox.add(kept, call);
    const answer = await new Promise<Answer>((settle, fail) => {
      const pending: Pending = { name, call, kept, tries: 0, settle, fail };
      this.#pending.add(pending);
      if (this.#state === "open") this.#send(pending);
    });
    const response = responseTo(name, answer);
    if (response === undefined) throw ownRefusal(Reason.INTERNAL, `the answer to ${name} is not one`);
    return response;
  }

  /** Becomes a player of this name, unless the browser is one of that name already. Raises Refused. */
  async become(name: string): Promise<void> {
    if (this.wallet.player?.name === name) return;
    const before = this.wallet.earlier(name);
    if (before === undefined) {
      await this.#become(name);
      return;
    }
    this.wallet.keepPlayer(before);
    if (this.#state === "open") await this.#authenticate(before.token);
  }

  /** Watches a session until the returned function is called. */
  watch(watcher: Watcher): () => void {
    const watch = new Watch(watcher);
    this.#watches.add(watch);
    if (this.#state === "open") this.#ask(watch);
    return () => {
      this.#watches.delete(watch);
      this.#unwatch(watch);
    };
  }

  // --- the line

  #opened(): void {
    this.#ids.clear();
    this.#nextId = 1n;
    this.#made = 0;
    this.#heard = Date.now();
    const player = this.wallet.player;
    if (player === undefined) this.#ready();
    else void this.#authenticate(player.token);
  }

  /** Says who is calling. Returns when that is known, or when the line breaks: then the next socket begins with it. */
  #authenticate(token: string): Promise<void> {
    return new Promise((settle) => {
      this.#authenticated?.();
      this.#authenticated = settle;
      this.#post({ case: "authenticate", value: { playerToken: token } }, "authenticate");
    });
  }

  #ready(): void {
    if (this.#state === "open") return;
    this.#setState("open");
    for (const pending of this.#pending) this.#send(pending);
    for (const watch of this.#watches) this.#ask(watch);
  }

  #lost(): void {
    this.#ids.clear();
    this.#authenticated?.();
    this.#setState("broken");
  }

  /** Gives a socket up that says nothing while an answer is awaited; where only watches are silent, it is asked first. */
  #listen(): void {
    if (this.#ids.size === 0 || this.#state === "broken") return;
    if (Date.now() - this.#heard <= this.#surroundings.silence) return;
    if ([...this.#ids.values()].every((about) => about instanceof Watch)) {
      this.#heard = Date.now();
      this.call("listGames", { pageSize: 1 }).catch(() => undefined);
    } else {
      this.#connection.drop();
    }
  }

  #setState(state: LineState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }

  #post(kind: RequestKind, about?: Pending | Watch | "authenticate"): void {
    const id = this.#nextId++;
    if (about !== undefined) this.#ids.set(id, about);
    this.#connection.send(toBinary(ConnectRequestSchema, create(ConnectRequestSchema, { id, kind })));
  }

  #received(frame: Uint8Array): void {
    this.#heard = Date.now();
    let response: ConnectResponse;
    try {
      response = fromBinary(ConnectResponseSchema, frame);
    } catch {
      this.#connection.drop();
      return;
    }
    const about = this.#ids.get(response.id);
    if (about === "authenticate") this.#recognised(response);
    else if (about instanceof Watch) this.#watched(response, about);
    else if (about !== undefined) this.#answered(response, about);
  }

  #recognised(response: ConnectResponse): void {
    this.#ids.delete(response.id);
    const refusal = refusalIn(response);
    if (refusal === undefined) {
      this.#connection.settle();
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

  // --- calls

  #send(pending: Pending): void {
    this.#post({ case: "call", value: pending.call }, pending);
  }

  #answered(response: ConnectResponse, pending: Pending): void {
    this.#ids.delete(response.id);
    this.#connection.settle();
    const refusal = refusalIn(response);
    if (refusal !== undefined) {
      this.#refused(pending, refusal);
    } else if (response.kind.case === "answer") {
      keepGrants(this.wallet, pending.call, response.kind.value);
      this.#finish(pending);
      pending.settle(response.kind.value);
    }
  }

  #refused(pending: Pending, refusal: Refusal): void {
    const mayTryAgain = ++pending.tries < MOST_TRIES;
    if (mayTryAgain && isPassing(refusal)) {
      const { patience } = this.#surroundings;
      const wait = Math.max(
        refusal.retryAfterMs,
        backoff(pending.tries - 1, patience, () => this.#surroundings.random()),
      );
      this.#after(wait, () => {
        if (this.#pending.has(pending) && this.#state === "open") this.#send(pending);
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

  #finish(pending: Pending): void {
    this.#pending.delete(pending);
    if (pending.kept !== undefined) this.#outbox.remove(pending.kept);
  }

  /** Goes on with a write of an earlier page, whose caller is gone; what it brings goes into the wallet. */
  #adopt(requestId: string, call: Call): void {
    if (call.request.case === undefined) return;
    const nobody = (): void => undefined;
    this.#pending.add({ name: call.request.case, call, kept: requestId, tries: 0, settle: nobody, fail: nobody });
  }

  #become(name: string): Promise<void> {
    this.#becoming ??= this.#make(name).finally(() => (this.#becoming = undefined));
    return this.#becoming;
  }

  async #make(name: string): Promise<void> {
    if (++this.#made > MOST_TRIES) throw ownRefusal(Reason.NO_TOKEN, "the server knows none of its own players");
    const { playerId, playerToken, name: shown } = await this.call("createPlayer", { name });
    this.wallet.keepPlayer({ id: playerId, token: playerToken, name: shown });
    if (this.#state === "open") await this.#authenticate(playerToken);
  }

  #after(wait: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#later.delete(timer);
      act();
    }, wait);
    this.#later.add(timer);
  }

  // --- watches

  #ask(watch: Watch): void {
    const { session, seatToken } = watch.watcher;
    this.#post({ case: "watch", value: { sessionId: session, seatToken, afterVersion: watch.last } }, watch);
  }

  #unwatch(watch: Watch): void {
    for (const [id, about] of this.#ids) {
      if (about !== watch) continue;
      this.#ids.delete(id);
      if (this.#state === "open") this.#post({ case: "unwatch", value: { watchId: id } });
    }
  }

  #watched(response: ConnectResponse, watch: Watch): void {
    const { kind } = response;
    if (kind.case === "watch") {
      const message = kind.value.kind;
      if (message.case === "heartbeat") this.time.note(Number(message.value.atMs));
      if (message.case === "update" && watch.last > 0n) this.time.note(Number(message.value.atMs));
      this.#connection.settle();
      if (watch.take(kind.value) === "well") return;
      this.#unwatch(watch);
      this.#ask(watch);
      return;
    }
    const refusal = refusalIn(response);
    if (refusal === undefined) return;
    this.#ids.delete(response.id);
    if (isPassing(refusal) || refusal.reason === Reason.NO_TOKEN) this.#askLater(watch, refusal);
    else if (this.#watches.delete(watch)) watch.watcher.ended(refusal);
  }

  #askLater(watch: Watch, refusal: Refusal): void {
    const again = (): void => {
      if (this.#watches.has(watch) && this.#state === "open") this.#ask(watch);
    };
    const wait = Math.max(refusal.retryAfterMs, this.#surroundings.patience.first);
    const giveUp = (): void => watch.watcher.ended(refusal);
    if (refusal.reason === Reason.NO_TOKEN) this.#become(this.#surroundings.guestName()).then(again, giveUp);
    else this.#after(wait, again);
  }
}

type RequestKind = NonNullable<Extract<MessageInitShape<typeof ConnectRequestSchema>, { $typeName?: never }>["kind"]>;

function refusalIn(response: ConnectResponse): Refusal | undefined {
  const { kind } = response;
  if (kind.case === "refusal") return kind.value;
  if (kind.case === "answer" && kind.value.response.case === "refusal") return kind.value.response.value;
  return undefined;
}
