/** A table: one session with the player's seats at it, what they see, and what they do. */
import { Reason, type Refusal } from "@brettwerk/client/v1/errors";
import { Session_State, type Update } from "@brettwerk/client/v1/sessions";
import { unpack } from "../../../api/registry";
import type { Around, Board, BoardSeat } from "../../../boards/board";
import { plainPace } from "../../../boards/plain/pace";
import { personName } from "../../bots/bot_name";
import { computerCalled, computerName } from "../../computers/computer_name";
import { games } from "../../games.svelte";
import { connection, server } from "../../server.svelte";
import { settings } from "../../settings.svelte";
import { newSeedContribution } from "../../seed_contribution";
import { Premove } from "../../premove/premove.svelte";
import { Talk } from "../../talk/talk.svelte";
import { t } from "../../text/text.svelte";
import { Viewing } from "../../viewing/viewing.svelte";
import { Choosing } from "../actions/choice.svelte";
import { Playback } from "../playback/playback.svelte";
import type { Speaker } from "../log/ply_text";
import { aroundOf, before, eventsOf, recentOf } from "./recent_events";
import { Requests } from "./requests.svelte";
import { viewCache } from "../announcer/scenes";
import { Perspective, type PerspectiveEvents } from "./perspective.svelte";
import { mayTake } from "../seats/takeover";
import { hasSameFields, unlessAlike } from "./stable_lists";
import { Waiting, type WaitStatus } from "../waits/waits.svelte";

/** Returns the scene of a view, and the events that came with it in words; undefined when the server does not say it. */
export const describe = viewCache((game, view, events) =>
  server.call("describeView", { game, view, events: [...events] }),
);

/** Returns the scene of an update, and its events in words; undefined where it has no view, or the server does not say it. */
export function describeUpdate(game: string, update: Update): ReturnType<typeof describe> {
  const { view, happening } = update;
  return view === undefined ? Promise.resolve(undefined) : describe(game, view, happening?.events);
}

/** Returns what the pieces of a view reach, or undefined when the server does not say it. */
export const reachesOf = viewCache(
  async (game, view) => (await server.call("describeView", { game, view, listsReaches: true })).reaches,
);

/** How a table is looked at. */
export interface TableOptions {
  /** The viewing of the finished game; empty for none. All in it see the same. */
  readonly viewing?: string;
  /** Whether only what everybody may see is shown. */
  readonly spectates?: boolean;
}

const NOTHING: readonly unknown[] = [];
/** The keys of the names of seats. */
const SEAT_KEY = /^seat\.(\d)\.name$/;

export class Table {
  readonly id: string;
  /** The perspectives of the player's seats; a spectator's when they have none. */
  perspectives = $state.raw<readonly Perspective[]>([]);
  /** Why there is nothing to see. */
  gone = $state.raw<Refusal | undefined>();
  /** The version of an earlier position that the player looks at. */
  looking = $state.raw<bigint | undefined>();
  /** The newest update that was shown as it came, to be spoken. */
  news = $state.raw<Update | undefined>();
  /** Whether the player has asked for the review of the finished game: the result makes room for it. */
  reviewing = $state(false);
  /** Whether the player looks at the board from its other side. */
  flipped = $state(false);
  /** Whether the player was dealt another seat, and has not seen since that the game began. */
  #dealt = false;
  // Values that boards got last, and get again while nothing of them has changed: computers play on faster than they are shown.
  #recent: readonly (readonly unknown[])[] = [];
  #boardSeats: readonly BoardSeat[] = [];
  #called: readonly string[] = [];
  /** Whether the player has created the session. */
  readonly created: boolean;
  readonly #waiting = new Waiting();
  /** The seat whose player said that they have the device, where several share it, and at which version. */
  #taken = $state.raw<{ readonly seat: number | undefined; readonly version: bigint } | undefined>();
  /** Whether those who share it do not mind that others see what they see. */
  #open = $state(false);

  /** Requests to the server for the seat that acts. */
  readonly requests: Requests;
  /** The actions open to the player, and what they choose. */
  readonly choosing: Choosing;
  /** The player's choice before their turn. */
  readonly premove = new Premove(this);
  readonly talk: Talk;
  /** The viewing in which the finished game is looked at together with others; absent without one. */
  readonly viewing: Viewing | undefined;
  /** The game's own board. */
  board = $state.raw<Board | undefined>();

  /** Shows updates in the pace that the board asks for. */
  readonly playback = new Playback({
    next: (version) => {
      const past = this.perspective?.past ?? [];
      return past[before(past, version)];
    },
    head: () => this.live?.version ?? 0n,
    stages: (update) => {
      const pace = this.board === undefined ? plainPace : this.board.pace;
      if (pace === undefined || this.looking !== undefined || settings.plain) return [];
      const [view, newest] = [unpack(update.view), unpack(this.live?.view)];
      const done = { seat: update.happening?.concernedSeat, events: eventsOf(update) };
      const kept = settings.keptBy(this.session?.game ?? "");
      const around = (): Around => aroundOf(this.perspective?.plies ?? [], update.version);
      return pace({ ...done, view, newest, seats: this.boardSeats, around, kept });
    },
    presented: (update) => {
      if (update.version > (this.news?.version ?? 0n)) this.news = update;
    },
  });

  /** Whether only what everybody may see is shown, whatever seats the player has. */
  readonly #spectates: boolean;
  #mayTakeUp: boolean;

  readonly seats = $derived(
    this.perspectives.flatMap((perspective) => (perspective.seat === undefined ? [] : [perspective.seat])),
  );
  /** The perspective that is shown: of the seat to act, where the player has several, or else of who has the device. */
  readonly perspective = $derived.by((): Perspective | undefined => {
    const acting = this.perspectives.find((each) => each.seat !== undefined && each.update?.toAct.includes(each.seat));
    const holding = this.perspectives.find((each) => each.seat === this.#taken?.seat);
    const [first] = this.perspectives;
    return acting ?? holding ?? first;
  });
  /** The newest update. */
  readonly live = $derived(this.perspective?.update);
  /** The update that the play at the table has come to, as it is shown: the newest one, or one that leads there. */
  readonly update = $derived.by((): Update | undefined => {
    const { at } = this.playback;
    if (at === undefined) return this.live;
    const past = this.perspective?.past ?? [];
    return past[before(past, at) - 1] ?? this.live;
  });
  /** The session as it is now; how far play has come, and how it ended, as it is shown. */
  readonly session = $derived.by(() => {
    const { live, update } = this;
    if (live?.session === undefined || update?.session === undefined || live === update) return live?.session;
    const { state, plies, outcome, rematchId, secret } = update.session;
    return { ...live.session, state, plies, rematchId, secret, ...(outcome ? { outcome } : { outcome: undefined }) };
  });
  readonly game = $derived(games.get(this.session?.game ?? ""));
  readonly running = $derived(this.session?.state === Session_State.RUNNING);
  /** Whether those who sit here settle how the game begins. */
  readonly settling = $derived(this.session?.state === Session_State.SETTLING);
  readonly over = $derived(
    this.session?.state === Session_State.FINISHED || this.session?.state === Session_State.CLOSED,
  );
  /** Whether what is seen was so some actions ago, as spectators may see it, so that clocks stand. */
  readonly late = $derived(
    this.perspective?.seat === undefined && (this.session?.spectatorDelay ?? 0) > 0 && !this.over,
  );
  /** Whether one of the player's seats is to act. */
  readonly myTurn = $derived(
    this.running &&
      this.playback.at === undefined &&
      this.perspective?.seat !== undefined &&
      (this.update?.toAct.includes(this.perspective.seat) ?? false),
  );
  /** Whether people share this device who may not know of each other what their game hides, and hand it over. */
  readonly shares = $derived(
    // A game that is not known yet could hide something.
    this.seats.length > 1 && (this.game === undefined || this.game.hidden) && !this.#open,
  );
  /** The seat whose player has the device: nobody once another of them was to act, here or in another tab. */
  readonly #holder = $derived.by((): number | undefined => {
    const taken = this.#taken;
    if (taken === undefined) return undefined;
    const own = this.perspectives.find(({ seat }) => seat === taken.seat);
    const since = own?.past.filter(({ version }) => version > taken.version) ?? [];
    const passed = since.some(({ toAct }) => toAct.some((seat) => seat !== taken.seat && this.seats.includes(seat)));
    return passed ? undefined : taken.seat;
  });
  /** Whether what only the player at the shown seat may know is not to be shown: nobody said that they have the device. */
  readonly covered = $derived(this.shares && !this.over && this.perspective?.seat !== this.#holder);
  /** Whether therefore nothing of what that seat sees is shown; a board that can leave out what is secret is. */
  readonly hides = $derived(this.covered && (this.board?.covers !== true || settings.plain));
  /** Whether the device is to be handed over before anything is done. */
  readonly awaits = $derived(this.covered && this.myTurn);
  /** The update whose position is shown: an earlier one, or the newest. */
  readonly shown = $derived.by((): Update | undefined => {
    if (this.looking === undefined) return this.update;
    return this.perspective?.past.find((each) => each.version === this.looking) ?? this.update;
  });
  readonly view = $derived(unpack(this.shown?.view));
  /** The plies that stand and have been shown. */
  readonly plies = $derived.by((): readonly Update[] => {
    const plies = this.perspective?.plies ?? [];
    return this.playback.at === undefined ? plies : plies.slice(0, before(plies, this.playback.at));
  });
  /** The versions at which positions can be looked at: of the start, and after each ply. */
  readonly stops = $derived.by((): readonly bigint[] => {
    const start = this.perspective?.start;
    return [...(start ? [start] : []), ...this.plies].map(({ version }) => version);
  });
  /** How many plies have been played, but not shown yet. */
  readonly behind = $derived((this.perspective?.plies.length ?? 0) - this.plies.length);
  /** The events that made the position shown. */
  readonly events = $derived.by(() => {
    const version = this.shown?.version ?? 0n;
    const ply = this.perspective?.plies.findLast((each) => each.version <= version);
    const stands = ply?.happening?.ply === this.shown?.session?.plies;
    const made = stands ? ply : this.shown;
    return made === undefined ? NOTHING : eventsOf(made);
  });
  /** The events that led to the position shown, a list for each ply. */
  readonly recent = $derived.by(() => {
    const recent = recentOf(this.perspective?.plies ?? [], this.perspective?.past ?? [], this.shown?.version ?? 0n);
    return (this.#recent = unlessAlike(this.#recent, recent, Object.is));
  });
  /** Changes with no update, so that the words of what was played are not made again with every one. */
  readonly #gameId = $derived(this.session?.game ?? "");
  /** The sources that the words of what was played are made from. */
  readonly speaker = $derived.by((): Speaker => {
    const [board, id] = [this.board, this.#gameId];
    const names = board?.callsPlayers === true ? this.called : [];
    const seatName = (seat: number): string => names[seat] ?? games.seatName(id, seat);
    const say = games.say(id);
    return { board, say: (key, args) => names[Number(SEAT_KEY.exec(key)?.[1])] ?? say(key, args), seatName, t };
  });
  /** The names of seats' players in sentences: with the seat's where several are called alike, that alone where nobody is. */
  readonly called = $derived.by((): readonly string[] => {
    const { session } = this;
    const game = session?.game ?? "";
    const names = (session?.seats ?? []).map(({ occupant }, seat) => {
      const [kind, called] = [occupant?.kind, settings.seatName(game, seat)];
      if (kind?.case === "computer") return computerCalled(game, kind.value.level, called);
      return this.who(seat);
    });
    const called = names.map((name, seat) => {
      const own = games.seatName(game, seat);
      if (name === "") return own;
      return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${own})`;
    });
    return (this.#called = unlessAlike(this.#called, called, Object.is));
  });
  readonly boardSeats = $derived.by((): readonly BoardSeat[] => {
    const { session, update, game, seats: held } = this;
    const seats = (session?.seats ?? []).map(({ occupant }, seat) => ({
      name: games.seatName(session?.game ?? "", seat),
      who: this.who(seat),
      ...(occupant !== undefined && { called: this.called[seat] ?? "" }),
      colour: game?.seats[seat]?.colour ?? "",
      computer: occupant?.kind.case === "computer",
      mine: held.includes(seat),
      acts: this.running && (update?.toAct.includes(seat) ?? false),
    }));
    return (this.#boardSeats = unlessAlike(this.#boardSeats, seats, hasSameFields));
  });

  /** The seats whose persons are connected; undefined while that is not known. */
  readonly present = $derived(connection.state === "open" ? this.perspective?.present : undefined);

  /** The computers that are to act and are waited for. What is still to be shown comes before them. */
  readonly waits = $derived.by((): readonly WaitStatus[] => {
    const { update, playback } = this;
    if (connection.state !== "open" || !this.running || playback.at !== undefined) return [];
    return this.#waiting.statuses.filter(({ seat }) => update?.toAct.includes(seat));
  });

  constructor(id: string, { viewing = "", spectates = viewing !== "" }: TableOptions = {}) {
    this.id = id;
    this.viewing = viewing === "" ? undefined : new Viewing(this, viewing);
    this.#spectates = spectates;
    this.#mayTakeUp = !spectates;
    this.created = server.wallet.hasCreated(id);
    this.requests = new Requests(this);
    this.choosing = new Choosing(this, this.requests);
    this.talk = new Talk(this);
    this.sit();
  }

  /** Takes the seats that the player holds now. */
  sit(): void {
    for (const perspective of this.perspectives) perspective.stop();
    const seats = this.#spectates ? [] : [...server.wallet.seats(this.id)];
    const held: [number | undefined, string][] = seats.length > 0 ? seats : [[undefined, ""]];
    this.perspectives = held.map(([seat, token], place) => this.#look(seat, token, place === 0));
  }

  /** Returns who plays a seat, in words; nothing when nobody does. */
  who(seat: number): string {
    const { session } = this;
    const kind = session?.seats[seat]?.occupant?.kind;
    const called = settings.seatName(session?.game ?? "", seat);
    if (kind?.case === "person") return (this.seats.includes(seat) && called) || personName(kind.value);
    if (kind?.case !== "computer") return "";
    return computerName(session?.game ?? "", kind.value.level, kind.value.depth, called);
  }

  /** Returns the name of who plays a seat, with the seat's where others have the same name; the seat's own where nobody does. */
  nameOf(seat: number): string {
    const name = this.playerAt(seat);
    const others = this.session?.seats.some((_, other) => other !== seat && this.playerAt(other) === name) ?? false;
    const own = games.seatName(this.session?.game ?? "", seat);
    return others && name !== own ? `${name} (${own})` : name;
  }

  /** Returns the name of who plays a seat; the seat's own where nobody does. */
  playerAt(seat: number): string {
    const { session } = this;
    const game = session?.game ?? "";
    const kind = session?.seats[seat]?.occupant?.kind;
    const called = settings.seatName(game, seat);
    if (kind?.case === "person") return (this.seats.includes(seat) && called) || personName(kind.value);
    const name = kind?.case === "computer" ? called || games.computerName(game, kind.value.level) : undefined;
    return name ?? games.seatName(game, seat);
  }

  /** Returns what somebody at a seat is called to their face: their name, and the seat's where they have several. */
  calledAt(seat: number): string {
    const game = this.session?.game ?? "";
    return settings.seatName(game, seat) || games.seatName(game, seat);
  }

  /** Notes that the player of a seat has the device now. */
  take(seat: number): void {
    const version = this.perspectives.find((each) => each.seat === seat)?.update?.version ?? 0n;
    this.#taken = { seat, version };
  }

  /** Notes that those who share the device do not mind that others see what they see. */
  openHands(): void {
    this.#open = true;
  }

  /** Returns how the player can come to a computer's seat now; undefined where it is not to be had. */
  mayTake(seat: number): "back" | "take" | undefined {
    return mayTake(this.session, seat, server.wallet.player?.id, this.created);
  }

  leave(): void {
    this.playback.leave();
    this.viewing?.leave();
    this.#waiting.leave();
    this.requests.stopHint();
    for (const perspective of this.perspectives) perspective.stop();
  }

  #look(seat: number | undefined, token: string, hears: boolean): Perspective {
    const events: PerspectiveEvents = {
      ...(hears && this.viewing === undefined && { talked: (talk) => this.talk.hear(talk) }),
      ...(this.viewing && { viewing: { id: this.viewing.id, received: (message) => this.viewing?.hear(message) } }),
      happened: ({ version }) => {
        this.#waiting.arrived(version);
        this.playback.arrived();
      },
      behind: () => this.playback.at !== undefined,
      waiting: (waits, version) => this.#waiting.update(waits, version),
      begun: ({ version }) => {
        this.#waiting.begun(version);
        this.playback.jump();
        if (seat === undefined) void this.#takeUp();
        // A game that began with the seats being dealt did so while the player had no eyes for it.
        if (this.#dealt && this.live !== undefined) this.news = this.live;
        this.#dealt &&= this.live === undefined;
      },
      lost: (isUntaken) => {
        this.lose(seat);
        if (isUntaken && seat !== undefined) void this.#comeBack(seat);
      },
      moved: (to) => {
        if (seat === undefined) return;
        server.wallet.moveSeat(this.id, seat, to);
        this.#dealt = true;
        this.sit();
      },
      ended: (refusal) => {
        if (seat !== undefined && refusal.reason === Reason.NOT_YOUR_SEAT) this.lose(seat);
        else this.gone = refusal;
      },
    };
    return new Perspective(this.id, seat, token, events, settings.showName);
  }

  /**
   * Takes up the seats that the player holds from another device; whoever opened the table last plays. Once only, so that two
   * devices that show the same table do not take a seat from each other for ever.
   */
  async #takeUp(): Promise<void> {
    if (!this.#mayTakeUp) return;
    this.#mayTakeUp = false;
    const own = server.wallet.player?.id;
    for (const [seat, { occupant }] of (this.live?.session?.seats ?? []).entries()) {
      if (occupant?.kind.case === "person" && occupant.kind.value.playerId === own) await this.#comeBack(seat);
    }
  }

  /** Forgets a seat that the player has no longer. */
  lose(seat: number | undefined): void {
    this.#mayTakeUp = false;
    if (seat !== undefined) server.wallet.forgetSeat(this.id, seat);
    this.sit();
  }

  /** Sits down again where the token is void though nobody has taken the seat: at once, since the others wait for them. */
  async #comeBack(seat: number): Promise<void> {
    const request = { sessionId: this.id, seat, seedContribution: newSeedContribution() };
    // Somebody else may sit there by now; then the player watches.
    const answer = await server.call("joinSession", request).catch(() => undefined);
    if (answer !== undefined) this.sit();
  }

  /** The seat that the player acts for. */
  get acting(): number | undefined {
    return this.perspective?.seat;
  }

  /** Shows at once what has been played. */
  catchUp(): void {
    this.playback.skip();
  }

  /** Returns the token of a seat of the player's; empty when it is not theirs. */
  tokenOf(seat: number | undefined): string {
    return this.perspectives.find((perspective) => perspective.seat === seat)?.token ?? "";
  }

  /** Goes to an earlier position, or back to the newest. */
  look(version: bigint | undefined): void {
    this.looking = version;
    this.viewing?.looked();
  }

  /** Goes to the position before the first ply. */
  lookFirst(): void {
    this.look(this.perspective?.start?.version);
  }

  /** Goes a number of plies back (-1) or on (1). */
  step(by: number): void {
    const { stops } = this;
    const now = this.looking === undefined ? stops.length - 1 : stops.indexOf(this.looking);
    const next = Math.max(0, now + by);
    this.look(next >= stops.length - 1 ? undefined : stops[next]);
  }
}
