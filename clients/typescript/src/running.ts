/** A bot that plays all of its games from one process: it answers challenges, and takes every seat that is kept for it. */
import type { Client } from "./client";
import { Reason } from "./generated/brettwerk/v1/errors_pb";
import type { Outcome } from "./generated/brettwerk/v1/games_pb";
import { News_Kind } from "./generated/brettwerk/v1/news_pb";
import { Challenge_State, DeclineReason, type Challenge } from "./generated/brettwerk/v1/opponents_pb";
import { ListFilter } from "./generated/brettwerk/v1/play_pb";
import { Session_State } from "./generated/brettwerk/v1/sessions_pb";
import { Refused } from "./refused";
import type { Bot, Seat } from "./seat";

export interface RunOptions {
  /** Chooses among challenges; without it all are accepted. */
  readonly accepts?: (challenge: Challenge) => boolean;
  /** How many games are played at the same time before challenges are declined; 4 without it. */
  readonly atOnce?: number;
  /** Is told of each game that is over. */
  readonly ended?: (seat: Seat, outcome: Outcome | undefined) => void;
  /** Is told of each session that is left to itself, and why: the bot played what it may not, or its seat is somebody else's. */
  readonly left?: (sessionId: string, refused: Refused) => void;
}

/** News of a seat that is kept for the player, or waits for them, if a session comes with it. */
const SEATS: ReadonlySet<News_Kind> = new Set([
  News_Kind.CHALLENGE_ANSWERED,
  News_Kind.PAIRED,
  News_Kind.ROUND,
  News_Kind.INVITED,
  News_Kind.YOUR_TURN,
]);
const LIVE: ReadonlySet<Session_State> = new Set([Session_State.WAITING, Session_State.RUNNING, Session_State.PAUSED]);
/** How long to wait for the session of a challenge before it is asked for again, in milliseconds. */
const SESSION_MS = 500;

const isRefused = (error: unknown, ...reasons: readonly Reason[]): boolean =>
  error instanceof Refused && (reasons.length === 0 || reasons.includes(error.refusal.reason));

/**
 * Plays until the news end, by a refusal or because the client was closed. Rejects with what a bot throws, too, and then begins
 * nothing more: the bot is asked for no further action, and no challenge is answered.
 */
export async function run(client: Client, bot: Bot, options: RunOptions): Promise<void> {
  const { accepts = () => true, atOnce = 4, ended, left } = options;
  const playing = new Set<string>();
  const tried = new Set<string>();
  let isOver = false;
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => (fail = reject));

  const begin = (sessionId: string): void => {
    if (isOver || playing.has(sessionId) || tried.has(sessionId)) return;
    playing.add(sessionId);
    void play(sessionId)
      .catch((error: unknown) => {
        // No reason to leave the other games.
        if (error instanceof Refused) left?.(sessionId, error);
        else throw error;
      })
      .catch(fail)
      .finally(() => (playing.delete(sessionId), tried.add(sessionId)));
  };

  async function play(sessionId: string): Promise<void> {
    const seat = await seatAt(sessionId);
    const choose: Bot = (update) => {
      if (isOver) throw new Error("the run is over"); // which nobody hears any more: it only ends the watch
      return bot(update);
    };
    const outcome = await seat.play(choose); // not as an argument below, which would not be evaluated without `ended`
    ended?.(seat, outcome);
  }

  async function seatAt(sessionId: string): Promise<Seat> {
    try {
      return await client.joinSession(sessionId);
    } catch (error: unknown) {
      if (!isRefused(error, Reason.SEAT_TAKEN, Reason.NOT_RUNNING, Reason.FULL)) throw error;
      const { update } = await client.call("getSession", { sessionId });
      for (const [seat, { occupant }] of (update?.session?.seats ?? []).entries()) {
        if (occupant?.kind.case !== "person") continue;
        try {
          return await client.joinSession(sessionId, seat);
        } catch (taken: unknown) {
          if (!isRefused(taken, Reason.SEAT_TAKEN)) throw taken;
        }
      }
      throw error;
    }
  }

  async function answer(): Promise<void> {
    const { received } = await client.call("listChallenges", {});
    for (const challenge of received.filter(({ state }) => state === Challenge_State.OPEN)) {
      if (isOver) return;
      const wanted = accepts(challenge);
      const accept = wanted && playing.size < atOnce;
      const { challengeId } = challenge;
      const declineReason = wanted ? DeclineReason.LATER : DeclineReason.UNSPECIFIED;
      try {
        let answered = (await client.call("answerChallenge", { challengeId, accept, declineReason })).challenge;
        while (accept && answered?.sessionId === "" && answered.state === Challenge_State.ACCEPTED) {
          await new Promise((resolve) => setTimeout(resolve, SESSION_MS));
          answered = (await client.call("answerChallenge", { challengeId, accept })).challenge;
        }
        if (accept && answered?.sessionId) begin(answered.sessionId);
      } catch (error: unknown) {
        // It may have been withdrawn meanwhile.
        if (!isRefused(error, Reason.PROPOSAL, Reason.UNKNOWN)) throw error;
      }
    }
  }

  async function follow(): Promise<void> {
    const { sessions } = await client.call("listSessions", { filter: ListFilter.MINE, pageSize: 100 });
    for (const { id, state } of sessions) {
      if (LIVE.has(state)) begin(id);
      else tried.add(id);
    }
    await answer();
    for await (const { kind, sessionId } of client.news()) {
      if (isOver) return;
      if (kind === News_Kind.CHALLENGED) await answer();
      else if (sessionId !== "" && SEATS.has(kind)) begin(sessionId);
    }
  }

  try {
    await Promise.race([follow(), failed]);
  } finally {
    isOver = true;
  }
}
