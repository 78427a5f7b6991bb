/** A bot that plays all of its games from one process: it answers challenges, and takes every seat that is kept for it. */
import type { Client } from "./client";
import { Reason } from "./generated/brettwerk/v1/errors_pb";
import type { Outcome } from "./generated/brettwerk/v1/games_pb";
import { News_Kind, type News } from "./generated/brettwerk/v1/news_pb";
import { Challenge_State, DeclineReason, type Challenge } from "./generated/brettwerk/v1/opponents_pb";
import { ListFilter } from "./generated/brettwerk/v1/play_pb";
import { Session_State, type Session, type TurnState } from "./generated/brettwerk/v1/sessions_pb";
import { asChallenge } from "./invitation";
import { GAMES, NEWS, Outages, type WaitsListener } from "./outages";
import { ownRefusal, Refused } from "./refused";
import type { Bot, Seat, UpdateOptions } from "./seat";

export interface RunOptions extends UpdateOptions {
  /**
   * Chooses among challenges; without it all are accepted. An invitation is asked about like a challenge: a rematch, or a saved
   * game that goes on. It has a `sessionId`, no `challengeId`.
   */
  readonly accepts?: (challenge: Challenge) => boolean;
  /** How many games are played at the same time before challenges are declined, and invitations have to wait; 4 without it. */
  readonly atOnce?: number;
  /** Is told of each game that is over. */
  readonly ended?: (seat: Seat, outcome: Outcome | undefined) => void;
  /** Is told of each session that is left to itself, and why: the bot played what it may not, or its seat is somebody else's. */
  readonly left?: (sessionId: string, refused: Refused) => void;
  /** The fate of a game in which the bot played what it may not: it is left as it is, resigned, or up to a function. */
  readonly onMistake?: "leave" | "resign" | ((seat: Seat, refused: Refused) => void | Promise<void>);
  /** Is told what the bot waits for: an outage, for instance. */
  readonly waits?: WaitsListener;
}

/** News of a seat that is kept for the player, who has agreed to it, if a session comes with it. */
const SEATS: ReadonlySet<News_Kind> = new Set([News_Kind.CHALLENGE_ANSWERED, News_Kind.PAIRED, News_Kind.ROUND]);
const OVER: ReadonlySet<Session_State> = new Set([Session_State.FINISHED, Session_State.CLOSED]);
const MISTAKES = [Reason.ILLEGAL, Reason.MALFORMED, Reason.AMBIGUOUS] as const;
/** How long to wait for the session of a challenge before it is asked for again, in milliseconds. */
const SESSION_MS = 500;
/** How often the bot looks for games and challenges whose news was lost on its way. */
const LOOK_MS = 30_000;
/** Until something is tried again. */
const PAUSES = { first: 250, most: 4000 };
/** A seat that was held for so long is taken back at once; and the longest pause otherwise. */
const HELD_MS = 600_000;
const MAX_TAKE_BACK_MS = 60_000;
/** How many sessions are remembered that are over, or left. */
const REMEMBERED = 10_000;

const isRefused = (error: unknown, ...reasons: readonly Reason[]): error is Refused =>
  error instanceof Refused && (reasons.length === 0 || reasons.includes(error.refusal.reason));

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Notes one more session; the oldest are forgotten. */
function remember(sessions: Set<string>, sessionId: string): void {
  sessions.add(sessionId);
  const [oldest] = sessions;
  if (sessions.size > REMEMBERED && oldest !== undefined) sessions.delete(oldest);
}

/** One such bot. */
export class Running {
  readonly #client: Client;
  readonly #bot: Bot;
  readonly #options: RunOptions;
  readonly #outages: Outages;
  /** Sessions that are being played, and challenges and invitations that may lead to one, by their ids. */
  readonly #busy = new Set<string>();
  /** Challenges that are being declined. */
  readonly #declining = new Set<string>();
  /** Invitations that are accepted as soon as there is room for another game. */
  readonly #postponed = new Set<string>();
  /** Sessions that were over when the bot looked last. */
  readonly #over = new Set<string>();
  /** Sessions that the bot has left, or not come to. */
  readonly #left = new Set<string>();
  #hasEnded = false;
  #fail: (error: unknown) => void = () => undefined;

  constructor(client: Client, bot: Bot, options: RunOptions) {
    this.#client = client;
    this.#bot = bot;
    this.#options = options;
    this.#outages = new Outages(PAUSES, options.waits);
  }

  /**
   * Plays until the client is closed, or may not do that any more: rejects then. Rejects with what a bot throws, too, and then
   * begins nothing more: the bot is asked for no further action, and no challenge is answered.
   */
  async run(): Promise<void> {
    const failed = new Promise<never>((_, reject) => (this.#fail = reject));
    try {
      await Promise.race([this.#live(), failed]);
    } finally {
      this.#hasEnded = true;
    }
  }

  async #live(): Promise<void> {
    await this.#through(GAMES, () => this.#noteOld());
    await this.#through(GAMES, () => this.#look(true));
    this.#inBackground(this.#keepLooking());
    await this.#follow();
  }

  /** Lets something go on by itself; what it rejects with ends the run. */
  #inBackground(work: Promise<void>): void {
    void work.catch((error: unknown) => this.#fail(error));
  }

  /** Returns what some work returns, begun again as long as what prevents it may pass. Rejects with anything else. */
  async #through<Done>(place: string, work: () => Promise<Done>): Promise<Done> {
    for (;;) {
      try {
        const done = await work();
        this.#outages.over(place);
        return done;
      } catch (error: unknown) {
        await this.#wait(place, error);
      }
    }
  }

  async #wait(place: string, error: unknown): Promise<void> {
    if (this.#hasEnded || this.#client.over !== undefined) throw error;
    await this.#outages.wait(place, error);
  }

  async #follow(): Promise<void> {
    let last = 0n;
    for (;;) {
      try {
        for await (const news of this.#client.newsThrough(last, () => this.#outages.over(NEWS))) {
          if (this.#hasEnded) return;
          await this.#hear(news);
          last = news.version;
        }
      } catch (error: unknown) {
        await this.#wait(NEWS, error);
      }
    }
  }

  async #hear({ kind, sessionId, seat }: News): Promise<void> {
    if (kind === News_Kind.CHALLENGED) await this.#answer();
    else if (sessionId === "" || this.#over.has(sessionId)) return;
    else if (kind === News_Kind.INVITED) this.#consider(sessionId);
    else if (kind === News_Kind.YOUR_TURN) this.#begin(sessionId, seat);
    else if (SEATS.has(kind)) this.#begin(sessionId);
  }

  async #keepLooking(): Promise<void> {
    for (;;) {
      await this.#client.after(LOOK_MS);
      if (this.#hasEnded) return;
      await this.#through(GAMES, () => this.#look(false));
    }
  }

  /** Notes the newest sessions that are over: the news that is kept may be about them. */
  async #noteOld(): Promise<void> {
    const { sessions } = await this.#client.call("listSessions", { filter: ListFilter.MINE, pageSize: 100 });
    for (const { id, state } of sessions) if (OVER.has(state)) remember(this.#over, id);
  }

  /**
   * Goes on with all games that are not over, and answers all challenges.
   *
   * A server of release 1.0 lists what is over, too. There only the newest are looked at, except for `everything`.
   */
  async #look(everything: boolean): Promise<void> {
    const request = { filter: ListFilter.MINE, unfinished: true, pageSize: 100 };
    let pageToken = "";
    do {
      const page = await this.#client.call("listSessions", { ...request, pageToken });
      page.sessions.forEach((session, index) => this.#goOn(session, page.turns[index]));
      const isFiltered = !page.sessions.some(({ state }) => OVER.has(state));
      pageToken = everything || isFiltered ? page.nextPageToken : "";
    } while (pageToken !== "");
    await this.#answer();
  }

  #goOn({ id, state }: Session, turn: TurnState | undefined): void {
    if (OVER.has(state)) return;
    this.#over.delete(id); // moves were taken back
    const own = turn?.own;
    if (own === undefined) this.#begin(id);
    else if (own.invited) this.#consider(id);
    else if (own.held.length + own.kept.length > 0) this.#begin(id, [...own.held, ...own.kept][0]);
    // otherwise it has only created the table
  }

  async #answer(): Promise<void> {
    const { accepts = () => true, atOnce = 4 } = this.#options;
    const { received } = await this.#client.call("listChallenges", {});
    for (const challenge of received.filter(({ state }) => state === Challenge_State.OPEN)) {
      const { challengeId } = challenge;
      if (this.#hasEnded) return;
      if (this.#busy.has(challengeId) || this.#declining.has(challengeId)) continue;
      const isWanted = accepts(challenge);
      const accept = isWanted && this.#busy.size < atOnce;
      (accept ? this.#busy : this.#declining).add(challengeId);
      const declineReason = isWanted ? DeclineReason.LATER : DeclineReason.UNSPECIFIED;
      this.#inBackground(this.#reply(challengeId, accept ? undefined : declineReason));
    }
  }

  /** Declines a challenge for a reason, or accepts it. */
  async #reply(challengeId: string, declineReason: DeclineReason | undefined): Promise<void> {
    const accept = declineReason === undefined;
    let sessionId = "";
    try {
      sessionId = await this.#through(challengeId, async () => {
        const request = accept ? { challengeId, accept } : { challengeId, declineReason };
        let { challenge } = await this.#client.call("answerChallenge", request);
        while (accept && challenge?.sessionId === "" && challenge.state === Challenge_State.ACCEPTED) {
          await after(SESSION_MS);
          ({ challenge } = await this.#client.call("answerChallenge", request));
        }
        return accept ? (challenge?.sessionId ?? "") : "";
      });
    } catch (error: unknown) {
      // It may have been withdrawn meanwhile.
      if (!isRefused(error, Reason.PROPOSAL, Reason.UNKNOWN)) throw error;
    } finally {
      this.#outages.over(challengeId);
      this.#busy.delete(challengeId);
      this.#declining.delete(challengeId);
    }
    if (sessionId === "") this.#goOnWithPostponed();
    else this.#begin(sessionId);
  }

  /** Answers an invitation, now or as soon as there is room for another game. */
  #consider(sessionId: string): void {
    if (this.#hasEnded || this.#busy.has(sessionId) || this.#left.has(sessionId)) return;
    if (this.#busy.size >= (this.#options.atOnce ?? 4)) {
      this.#postponed.add(sessionId);
    } else {
      this.#busy.add(sessionId);
      this.#inBackground(this.#accept(sessionId));
    }
  }

  /** Accepts or declines an invitation. */
  async #accept(sessionId: string): Promise<void> {
    let isWanted = false;
    try {
      isWanted = await this.#through(sessionId, async () => {
        const invitation = asChallenge((await this.#client.call("getSession", { sessionId })).update?.session);
        if (invitation === undefined) return false;
        if (this.#options.accepts?.(invitation) ?? true) return true;
        await this.#client.call("leaveSession", { sessionId });
        return false;
      });
    } catch (error: unknown) {
      // The table is gone, or a server of release 1.0 takes no such answer: then the seat stays kept.
      if (!isRefused(error)) throw error;
    } finally {
      this.#outages.over(sessionId);
      this.#busy.delete(sessionId);
    }
    if (isWanted) {
      this.#begin(sessionId);
    } else {
      remember(this.#left, sessionId);
      this.#goOnWithPostponed();
    }
  }

  #goOnWithPostponed(): void {
    for (const sessionId of [...this.#postponed]) {
      if (this.#busy.size >= (this.#options.atOnce ?? 4)) return;
      this.#postponed.delete(sessionId);
      this.#consider(sessionId);
    }
  }

  #begin(sessionId: string, seat = -1): void {
    if (this.#hasEnded || this.#busy.has(sessionId) || this.#left.has(sessionId)) return;
    this.#busy.add(sessionId);
    this.#postponed.delete(sessionId);
    this.#inBackground(this.#play(sessionId, seat));
  }

  /** Takes the seat of a number, the one that is kept for the player, or the one that they had before. */
  async #seat(sessionId: string, number: number): Promise<Seat> {
    if (number >= 0) {
      try {
        return await this.#client.joinSession(sessionId, number);
      } catch (error: unknown) {
        if (!isRefused(error, Reason.SEAT_TAKEN)) throw error; // a table that settled has dealt another one
      }
    }
    try {
      return await this.#client.joinSession(sessionId);
    } catch (error: unknown) {
      if (!isRefused(error, Reason.SEAT_TAKEN, Reason.NOT_RUNNING, Reason.FULL)) throw error;
      const { update } = await this.#client.call("getSession", { sessionId });
      for (const [seat, { occupant }] of (update?.session?.seats ?? []).entries()) {
        if (occupant?.kind.case !== "person") continue;
        try {
          return await this.#client.joinSession(sessionId, seat);
        } catch (taken: unknown) {
          if (!isRefused(taken, Reason.SEAT_TAKEN)) throw taken;
        }
      }
      throw error;
    }
  }

  /** Takes a seat whose token has become void. Rejects with NOT_YOUR_SEAT if somebody has put a computer there. */
  async #takeBack(sessionId: string, number: number): Promise<Seat> {
    const { update } = await this.#client.call("getSession", { sessionId });
    if (update?.session?.seats[number]?.occupant?.kind.case !== "person")
      throw ownRefusal(Reason.NOT_YOUR_SEAT, "a computer plays there now");
    return this.#client.joinSession(sessionId, number);
  }

  /** Plays a game to its end, however often the server is away meanwhile. */
  async #play(sessionId: string, number: number): Promise<void> {
    try {
      await this.#playOn(sessionId, number);
      remember(this.#over, sessionId);
    } catch (error: unknown) {
      if (!isRefused(error) || isRefused(error, Reason.NO_TOKEN)) throw error;
      // No reason to leave the other games.
      remember(isRefused(error, Reason.GAME_OVER) ? this.#over : this.#left, sessionId);
      this.#options.left?.(sessionId, error);
    } finally {
      this.#outages.over(sessionId);
      this.#busy.delete(sessionId);
      this.#goOnWithPostponed();
    }
  }

  async #playOn(sessionId: string, from: number): Promise<void> {
    const choose: Bot = (update) => {
      if (this.#hasEnded) throw new Error("the run is over"); // which nobody hears any more: it only ends the watch
      return this.#bot(update);
    };
    let seat: Seat | undefined;
    let number = from;
    let lost = 0;
    let takenAt = 0;
    for (;;) {
      try {
        if (seat === undefined) {
          seat = await (lost > 0 ? this.#takeBack(sessionId, number) : this.#seat(sessionId, number));
          takenAt = performance.now();
        }
        const outcome = await seat.playThrough(
          choose,
          () => this.#outages.over(sessionId),
          this.#options.leaveOut,
        );
        this.#options.ended?.(seat, outcome);
        return;
      } catch (error: unknown) {
        if (isRefused(error, Reason.NOT_YOUR_SEAT) && seat !== undefined) {
          // The seat has got another token: the player has signed out, the store was set back, or another program of the player
          // plays there, too. Every time is an entry of the session's log.
          number = seat.number;
          seat = undefined;
          lost = performance.now() - takenAt < HELD_MS ? lost + 1 : 1;
          await after(Math.min(MAX_TAKE_BACK_MS, 250 * 4 ** (lost - 1)));
          continue;
        }
        if (isRefused(error, ...MISTAKES)) {
          if (seat !== undefined) await this.#dealWith(seat, error);
          throw error;
        }
        await this.#wait(sessionId, error);
      }
    }
  }

  /** Does what is to be done about a game in which the bot played what it may not. */
  async #dealWith(seat: Seat, mistake: Refused): Promise<void> {
    const { onMistake = "leave", ended } = this.#options;
    if (typeof onMistake === "function") await onMistake(seat, mistake);
    if (onMistake !== "resign") return;
    await this.#through(seat.sessionId, () => seat.resign());
    const session = (await seat.update())?.session;
    if (session !== undefined && OVER.has(session.state)) ended?.(seat, session.outcome);
  }
}
