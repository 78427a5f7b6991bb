/**
 * A connection to a server, and who calls over it: every call and every watch, over one socket that comes back.
 *
 * Calls are answered once, however often the socket breaks in between: what has no answer is sent again on the next socket,
 * writes under the same request id. Watches go on after the last version they have.
 */
import { backoff } from "./backoff";
import { makeCall, newRequestId, responseTo, type MethodName, type RequestOf, type ResponseOf } from "./calls";
import { Followings } from "./followings";
import type { Board, Game } from "./generated/brettwerk/v1/games_pb";
import { Reason, type Refusal } from "./generated/brettwerk/v1/errors_pb";
import type { News } from "./generated/brettwerk/v1/news_pb";
import { Seek_State } from "./generated/brettwerk/v1/opponents_pb";
import { ListFilter, type ConnectResponse } from "./generated/brettwerk/v1/play_pb";
import type { Session } from "./generated/brettwerk/v1/sessions_pb";
import { Connection, refusalIn } from "./connection";
import { NewsWatch } from "./news_watch";
import { isPassing, mayPass, ownRefusal, Refused } from "./refused";
import { Running, type RunOptions } from "./running";
import { Seat, type Bot, type Table } from "./seat";
import { SentCalls } from "./sent_calls";
import { openSocket } from "./sockets";
import { AsyncQueue } from "./async_queue";
import { Watch, type Watcher } from "./watch";
import { Waits } from "./waits";
import type { SeatWish } from "./wishes";

export interface ClientOptions {
  /** Where the server's page is: http://127.0.0.1:8000. */
  readonly url: string;
  /** A guest of this name is made, unless there is a token. */
  readonly name?: string;
  /** The token of a player who comes back. With neither the caller is nobody, who may look at what is public. */
  readonly token?: string;
  /** How long a call is tried, and how long a watch waits for the server to come back, in milliseconds. */
  readonly retryMs?: number;
}

/** A player of a server. Keep the token: with it the same player comes back, and whoever has it is that player. */
export interface Player {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  /**
   * Of this device, once the player has signed in on it: the next sign-in takes it, so that wrong guesses of strangers do not
   * delay that one. It is empty for a guest, and proves nobody.
   */
  readonly deviceToken: string;
}

/** A server that is back is noticed within a few seconds, also if whatever stood in for it accepted connections in silence. */
const PAUSES = { first: 500, most: 4000 };
const OPENING_MS = 5000;
/** Twice this long after the last sign of life was due, a silent connection is given up for another. */
const SILENCE_MS = 3500;
const RETRY_MS = 60_000;
/** How long one question waits for an opponent. */
const SEEK_WAIT_MS = 3000;

export class Client {
  readonly #name: string;
  readonly #retryMs: number;
  readonly #connection: Connection;
  readonly #guestId = newRequestId();
  readonly #calls: SentCalls;
  readonly #followings: Followings;
  readonly #waits = new Waits();
  #token: string;
  #player: Player | undefined;
  #lateTimer: ReturnType<typeof setTimeout> | undefined;
  /** Why nothing can be asked any more. */
  #over: Refused | undefined;

  constructor({ url, name = "", token = "", retryMs = RETRY_MS }: ClientOptions) {
    this.#name = name;
    this.#token = token;
    this.#retryMs = retryMs;
    const ground = {
      open: () => openSocket(url),
      random: () => Math.random(),
      backoffRange: PAUSES,
      opening: OPENING_MS,
    };
    this.#connection = new Connection(ground, SILENCE_MS, {
      opened: () => this.#identify(),
      lost: () => this.#lost(),
    });
    this.#calls = new SentCalls(this.#connection, (refusal, _, attempts) =>
      isPassing(refusal) || refusal.retryAfterMs > 0 ? this.#pause(refusal, attempts - 1) : undefined,
    );
    this.#followings = new Followings(this.#connection, {
      mayAskAgain: (refusal) => (isPassing(refusal) ? this.#pause(refusal, 0) : undefined),
    });
  }

  /** This client's player, once it has signed in; undefined for a token that was brought along, and for nobody. */
  get player(): Player | undefined {
    return this.#player;
  }

  /** Why nothing can be asked any more; undefined as long as something can. */
  get over(): Refused | undefined {
    return this.#over;
  }

  /** Returns after so many milliseconds, and never if the client is closed before. */
  after(ms: number): Promise<void> {
    return this.#waits.after(ms);
  }

  /** Lets go of the server: what waits is refused, and a program can end. */
  close(): void {
    this.#end(ownRefusal(Reason.UNAVAILABLE, "the client was closed"));
  }

  /**
   * Calls a method of the service and returns its answer; sent again as long as that may help. An aborted `signal` gives the call
   * up. Raises Refused.
   */
  async call<Name extends MethodName>(
    name: Name,
    request: RequestOf<Name>,
    signal?: AbortSignal,
  ): Promise<ResponseOf<Name>> {
    if (this.#over !== undefined) throw this.#over;
    const late = new AbortController();
    const refused = ownRefusal(Reason.UNAVAILABLE, `${name} had no answer for ${this.#retryMs} ms`);
    const timer = setTimeout(() => late.abort(refused), this.#retryMs);
    const ends = AbortSignal.any(signal === undefined ? [late.signal] : [late.signal, signal]);
    const answer = this.#calls.send(makeCall(name, request, newRequestId()), ends);
    this.#connection.start();
    try {
      const response = responseTo(name, await answer);
      if (response === undefined) throw ownRefusal(Reason.INTERNAL, `the answer to ${name} is not one`);
      return response;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Becomes the player that a link, a phrase, or a name and a password prove. Raises Refused.
   *
   * @param deviceTokens what earlier sign-ins on this device have returned.
   */
  async signIn(
    proof: NonNullable<RequestOf<"signIn">["proof"]>,
    deviceTokens: readonly string[] = [],
  ): Promise<Player> {
    const answer = await this.call("signIn", { proof, deviceTokens: [...deviceTokens] });
    const { playerId: id, name, playerToken: token, deviceToken } = answer;
    this.#player = { id, name, token, deviceToken };
    this.#token = token;
    this.#connection.drop(); // the next socket begins with who is calling
    return this.#player;
  }

  /** Returns the games of the server. Raises Refused. */
  async games(): Promise<Game[]> {
    return (await this.call("listGames", { pageSize: 100 })).games;
  }

  /** Returns a game's quick phrases by their ids, in a language such as en, de or fr, to say and to read. Raises Refused. */
  async phrases(game: string, language = "en"): Promise<Record<string, string>> {
    const found = await this.call("getGame", { game, language, withoutRulesPage: true, keyPrefixes: ["phrase."] });
    const phrases = found.game?.phrases ?? [];
    return Object.fromEntries(phrases.map((phrase) => [phrase, found.catalogue[`phrase.${phrase}`] ?? phrase]));
  }

  /**
   * Returns what a game is played on, with these options (a message of the game, `anyOf`) and so many seats, 0 for as few as it
   * can have. Raises Refused.
   */
  async board(game: string, settings: Pick<RequestOf<"getGame">, "options" | "seats"> = {}): Promise<Board> {
    const request = { ...settings, game, language: "en", withoutRulesPage: true, showsBoard: true };
    const { board } = await this.call("getGame", request);
    if (board === undefined) throw ownRefusal(Reason.INTERNAL, "the answer has no board");
    return board;
  }

  /** Returns public sessions with an open seat, newest first. Raises Refused. */
  async openSessions(game = ""): Promise<Session[]> {
    return (await this.call("listSessions", { filter: ListFilter.OPEN, game, pageSize: 100 })).sessions;
  }

  /** Returns running games with a seat whose player is gone (its `offer`). Raises Refused. */
  async openSeats(game = ""): Promise<Session[]> {
    return (await this.call("listOpenSeats", { game, pageSize: 100 })).sessions;
  }

  /** Asks for such a seat, and takes it; undefined while those who play there may still refuse. Raises Refused. */
  async askForSeat(sessionId: string, seat: number): Promise<Seat | undefined> {
    const { session } = await this.call("askForSeat", { sessionId, seat });
    return session?.seats[seat]?.offer === undefined ? this.joinSession(sessionId, seat) : undefined;
  }

  /**
   * Waits in a pool for an opponent of similar strength, and takes the seat at the resulting table. The clock is
   * one that the game has a pool for (listPools), none for no clock. An aborted `signal` leaves the pool. Raises Refused.
   */
  async findOpponent(
    game: string,
    settings: Pick<RequestOf<"startSeek">, "clock" | "competitive"> = {},
    signal?: AbortSignal,
  ): Promise<Seat> {
    let { seek } = await this.call("startSeek", { game, ...settings });
    try {
      while (seek?.state !== Seek_State.READY) {
        signal?.throwIfAborted();
        ({ seek } = await this.call("followSeek", { seekId: seek?.seekId ?? "", waitMs: SEEK_WAIT_MS }));
        if (seek?.state === Seek_State.OVER) ({ seek } = await this.call("startSeek", { game, ...settings }));
      }
    } finally {
      await this.call("stopSeek", { seekId: seek?.seekId ?? "" });
    }
    return this.joinSession(seek.sessionId);
  }

  /** Creates a session; `seats` says who shall sit where (`me`, `computer`, `nobody`). Raises Refused. */
  async createSession(
    game: string,
    seats: SeatWish[],
    settings: Omit<RequestOf<"createSession">, "game" | "seats"> = {},
  ): Promise<Table> {
    return this.table(await this.call("createSession", { ...settings, game, seats }));
  }

  /** Returns the table that an answer tells of. */
  table(created: ResponseOf<"createSession" | "rematch" | "importSession" | "forkSession">): Table {
    const { session, grants } = created;
    if (session === undefined) throw ownRefusal(Reason.INTERNAL, "the answer has no session");
    const seats = grants.map((grant) => new Seat(this, session.id, grant.seat, grant.seatToken));
    return { session, seats, seat: seats[0] ?? this.spectator(session.id) };
  }

  /** Takes a seat, -1 for any that is open; one's own seat gets a new token. Raises Refused. */
  async joinSession(sessionId: string, seat = -1): Promise<Seat> {
    const { grant } = await this.call("joinSession", { sessionId, seat });
    if (grant === undefined) throw ownRefusal(Reason.INTERNAL, "the answer has no seat");
    return new Seat(this, sessionId, grant.seat, grant.seatToken);
  }

  /**
   * Lets a bot play all of the player's games until the client is closed: whoever challenges it, and wherever it is expected.
   * Games that an earlier process has left are gone on with, and whatever may pass by itself, such as an outage, is waited for
   * without end. Rejects with Refused if the token is void or lacks a scope, and with whatever the bot throws.
   */
  run(bot: Bot, options: RunOptions = {}): Promise<void> {
    return new Running(this, bot, options).run();
  }

  /** Returns a seat whose token was kept. */
  seat(sessionId: string, number: number, token: string): Seat {
    return new Seat(this, sessionId, number, token);
  }

  /** Returns a place from which a session can be watched, with no seat. */
  spectator(sessionId: string): Seat {
    return new Seat(this, sessionId, -1, "");
  }

  /** Watches a session until the returned function is called; `Seat.watch` is the usual way. Raises Refused. */
  follow(watcher: Watcher): () => void {
    if (this.#over !== undefined) throw this.#over;
    this.#connection.start();
    return this.#followings.follow(new Watch(watcher));
  }

  /**
   * Yields what concerns the player at any table, each news once and in order, over as many connections as that takes. It does
   * not end by itself. Raises Refused.
   *
   * It begins after the news that has the given version; with 0, with all that is kept. Where the version is not the next one,
   * news in between was lost or is kept no longer: `listSessions` says how the player's sessions stand.
   */
  news(afterVersion = 0n): AsyncGenerator<News, void, undefined> {
    return this.newsThrough(afterVersion, () => undefined);
  }

  /** The same as `news`; `wentWell` is called with every sign of life. */
  async *newsThrough(afterVersion: bigint, wentWell: () => void): AsyncGenerator<News, void, undefined> {
    if (this.#over !== undefined) throw this.#over;
    const news = new AsyncQueue<News>();
    this.#connection.start();
    const watcher = {
      received: (one: News) => news.put(one),
      begun: (kept: readonly News[]) => kept.forEach((one) => news.put(one)),
      heard: wentWell,
      ended: (refusal: Refusal) => news.end(refusal),
    };
    const end = this.#followings.follow(new NewsWatch(watcher, afterVersion));
    try {
      for (;;) yield await news.next();
    } finally {
      end();
    }
  }

  // --- who is calling

  #identify(): void {
    if (this.#token !== "") {
      const heard = (response: ConnectResponse): void => this.#recognised(response);
      this.#connection.ask({ case: "authenticate", value: { playerToken: this.#token } }, { quietMs: 0, heard });
    } else if (this.#name !== "") {
      const heard = (response: ConnectResponse): void => this.#made(response);
      const value = makeCall("createPlayer", { name: this.#name }, this.#guestId);
      this.#connection.ask({ case: "call", value }, { quietMs: 0, heard });
    } else {
      this.#ready();
    }
  }

  #made(response: ConnectResponse): void {
    this.#connection.forget(response.id);
    const refusal = refusalIn(response);
    if (refusal !== undefined) {
      this.#notKnown(refusal);
    } else if (response.kind.case === "answer" && response.kind.value.response.case === "createPlayer") {
      const { playerId: id, name, playerToken: token } = response.kind.value.response.value;
      this.#player = { id, name, token, deviceToken: "" };
      this.#token = token;
      this.#identify();
    }
  }

  #recognised(response: ConnectResponse): void {
    this.#connection.forget(response.id);
    const refusal = refusalIn(response);
    if (refusal === undefined) this.#ready();
    else this.#notKnown(refusal);
  }

  #notKnown(refusal: Refusal): void {
    if (mayPass(refusal)) this.#connection.drop();
    else this.#end(new Refused(refusal));
  }

  #ready(): void {
    clearTimeout(this.#lateTimer);
    this.#lateTimer = undefined;
    this.#connection.proved();
    if (!this.#connection.ready()) return;
    this.#calls.askForAll();
    this.#followings.askForAll();
  }

  #lost(): void {
    const late = ownRefusal(Reason.UNAVAILABLE, `the server was not there for ${this.#retryMs} ms`);
    this.#lateTimer ??= setTimeout(() => this.#followings.endAll(late.refusal), this.#retryMs);
  }

  /** Refuses what waits, and whatever comes. */
  #end(refused: Refused): void {
    this.#over ??= refused;
    this.#connection.stop();
    this.#waits.end();
    clearTimeout(this.#lateTimer);
    this.#calls.endAll(refused);
    this.#followings.endAll(refused.refusal);
  }

  #pause(refusal: Refusal, attempts: number): Promise<void> {
    const wait = backoff(attempts, PAUSES, () => Math.random());
    return this.#waits.after(Math.max(refusal.retryAfterMs, wait));
  }
}
