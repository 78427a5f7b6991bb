/** A seat of a session, and what can be done from it. */
import type { Message } from "@bufbuild/protobuf";
import type { Client } from "./client";
import type { ActionChoice, Outcome } from "./generated/brettwerk/v1/games_pb";
import { Reason } from "./generated/brettwerk/v1/errors_pb";
import type { ActResponse } from "./generated/brettwerk/v1/play_pb";
import { Session_State, type Session, type Update, type Update_Field } from "./generated/brettwerk/v1/sessions_pb";
import type { TalkLine } from "./generated/brettwerk/v1/talk_pb";
import { anyOf } from "./messages";
import { ownRefusal, Refused } from "./refused";
import { TalkLines } from "./talk";
import { Turns } from "./turns";
import { Updates } from "./updates";

/** An action: one of an update's `actions`, the game's own action message, or a text in the game's notation. */
export type Action = ActionChoice | Message | string;

/** Takes an update in which its seat may act, and returns the action that it plays, or nothing to wait for the next update. */
export type Bot = (update: Update) => Action | undefined | Promise<Action | undefined>;

/** A session that was just created. */
export interface Table {
  /** The session, as it was then. */
  readonly session: Session;
  /** The seats that its creator has, in turn order. */
  readonly seats: readonly Seat[];
  /** The creator's seat, or the first of several; a spectator's place when there is none. */
  readonly seat: Seat;
}

export interface UpdateOptions {
  /** The fields that updates need not have, so that they are smaller. */
  readonly leaveOut?: readonly Update_Field[];
}

export interface WatchOptions extends UpdateOptions {
  /** Whether to go on after the session's last update, since a rematch may be told. */
  readonly beyondTheEnd?: boolean;
}

/** The reasons why an action is refused when something else happened first; the watch brings what that was. */
const OVERTAKEN: readonly Reason[] = [
  Reason.STALE_VERSION,
  Reason.NOT_YOUR_TURN,
  Reason.NOT_RUNNING,
  Reason.GAME_OVER,
  Reason.NOT_YOUR_SEAT,
];

function isOver(update: Update): boolean {
  const state = update.session?.state;
  return state === Session_State.FINISHED || state === Session_State.CLOSED;
}

function isChoice(action: ActionChoice | Message): action is ActionChoice {
  return action.$typeName === "brettwerk.v1.ActionChoice";
}

export class Seat {
  readonly client: Client;
  readonly sessionId: string;
  #token: string;
  #number: number;
  /** Whether the seat has changed hands while it was watched: from then on its token shows what a spectator may see. */
  #isLost = false;

  constructor(client: Client, sessionId: string, number: number, token: string) {
    this.client = client;
    this.sessionId = sessionId;
    this.#token = token;
    this.#number = number;
  }

  /** Keep it: `Client.seat` comes back with it. Empty for a spectator. */
  get token(): string {
    return this.#token;
  }

  /** The seat, from 0; -1 for a spectator. A table that settles before the start may deal another one. */
  get number(): number {
    return this.#number;
  }

  /**
   * Lets a bot play to the end of the game. Returns the outcome; undefined for a session that was given up.
   *
   * A bot that knows the rules need not be told what it may do, and its updates can lack other parts to `leaveOut`, too.
   * An event before an action is there, such as its time running out, is no error: the bot is asked again. Raises Refused
   * when the bot plays what it may not, the seat has changed hands, or the server cannot be reached for a long time.
   */
  play(bot: Bot, { leaveOut = [] }: UpdateOptions = {}): Promise<Outcome | undefined> {
    return this.playThrough(bot, () => undefined, leaveOut);
  }

  /** The same as `play`; `wentWell` is called when the server has taken an action, or shows that there is none to take. */
  async playThrough(
    bot: Bot,
    wentWell: () => void,
    leaveOut: readonly Update_Field[] = [],
  ): Promise<Outcome | undefined> {
    const turns = new Turns(leaveOut);
    for await (const update of this.watch({ leaveOut })) {
      if (isOver(update)) return update.session?.outcome;
      if (this.#isLost) throw ownRefusal(Reason.NOT_YOUR_SEAT, "the seat has changed hands");
      if (!turns.wants(update, this.number)) {
        wentWell();
        continue;
      }
      const action = await bot(update);
      if (action === undefined) continue;
      try {
        turns.acted((await this.act(update, action)).version);
        wentWell();
      } catch (error) {
        if (!(error instanceof Refused && OVERTAKEN.includes(error.refusal.reason))) throw error;
      }
    }
    return undefined;
  }

  /**
   * Yields the newest update and all that follow, each once and in order, over as many connections as that takes.
   *
   * It ends with the session's last update unless asked to go on. When the seat's token has become void though nobody else has
   * taken the seat, it is taken again. Raises Refused.
   */
  async *watch({ beyondTheEnd = false, leaveOut }: WatchOptions = {}): AsyncGenerator<Update, void, undefined> {
    let updates = new Updates(this.sessionId, this.token, leaveOut);
    let end = this.client.follow(updates);
    try {
      for (;;) {
        const { update, hasVoidToken, hasLostSeat } = await updates.next();
        if (hasVoidToken && this.token !== "") {
          this.#token = (await this.client.joinSession(this.sessionId, this.number)).token;
          end();
          updates = new Updates(this.sessionId, this.token, leaveOut);
          end = this.client.follow(updates);
          continue;
        }
        this.#isLost = hasLostSeat;
        if (update.viewerSeat !== undefined) this.#number = update.viewerSeat;
        yield update;
        if (isOver(update) && !beyondTheEnd) return;
      }
    } finally {
      end();
    }
  }

  /** Returns the newest update. Raises Refused. */
  async update({ leaveOut = [] }: UpdateOptions = {}): Promise<Update | undefined> {
    const { sessionId, token } = this;
    return (await this.client.call("getSession", { sessionId, seatToken: token, leaveOut: [...leaveOut] })).update;
  }

  /**
   * Returns all that the seat may do now, or what of it begins with these places; an update has the first 256 actions
   * (`moreActions`). Raises Refused.
   */
  async actions(places: readonly string[] = []): Promise<ActionChoice[]> {
    const found: ActionChoice[] = [];
    let pageToken = "";
    do {
      const { sessionId, token } = this;
      const request = { sessionId, seatToken: token, pageSize: 1000, pageToken, places: [...places] };
      const page = await this.client.call("listActions", request);
      found.push(...page.actions);
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    return found;
  }

  /** Plays an action that was chosen at an update. Raises Refused. */
  act(seen: Update, action: Action): Promise<ActResponse> {
    const request = { sessionId: this.sessionId, seatToken: this.token, expectedVersion: seen.version };
    if (typeof action === "string") return this.client.call("act", { ...request, notation: action });
    const whole = isChoice(action) ? action.action : anyOf(action);
    return this.client.call("act", whole === undefined ? request : { ...request, action: whole });
  }

  /**
   * Says words, or one of the game's quick phrases, to all or to one seat alone (EMPERADO). Raises Refused.
   *
   * Without a seat the client speaks as somebody who watches.
   */
  async say(said: { text: string } | { phrase: string }, toSeat?: number): Promise<TalkLine> {
    const request = {
      sessionId: this.sessionId,
      seatToken: this.token,
      ...(toSeat !== undefined && { listenerSeat: toSeat }),
    };
    const { line } = await this.client.call("say", { ...request, ...said });
    if (line === undefined) throw ownRefusal(Reason.INTERNAL, "the answer has no line");
    return line;
  }

  /**
   * Yields what is said at the table as this seat hears it: the lines that are kept, then every new one, each once.
   *
   * It does not end by itself. Raises Refused.
   */
  async *talk(): AsyncGenerator<TalkLine, void, undefined> {
    const lines = new TalkLines(this.sessionId, this.token);
    const end = this.client.follow(lines);
    try {
      for (;;) yield await lines.next();
    } finally {
      end();
    }
  }

  /** Gives the game up. Raises Refused. */
  async resign(): Promise<void> {
    await this.client.call("resign", { sessionId: this.sessionId, seatToken: this.token });
  }

  /** Gives the seat up: it is open before the start, and a computer plays for it afterwards. Raises Refused. */
  async leave(): Promise<void> {
    await this.client.call("leaveSession", { sessionId: this.sessionId, seatToken: this.token });
  }
}
