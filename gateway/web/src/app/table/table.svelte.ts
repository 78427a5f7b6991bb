/** A table: one session with the player's seats at it, what he sees, and what he does. */
import { create } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { Reason, type Refusal } from "../../api/generated/brettwerk/v1/errors_pb";
import type { ActionChoice } from "../../api/generated/brettwerk/v1/games_pb";
import type { Hint } from "../../api/generated/brettwerk/v1/play_pb";
import { ProposalSchema, type Proposal } from "../../api/generated/brettwerk/v1/record_pb";
import { Session_State, type Update } from "../../api/generated/brettwerk/v1/sessions_pb";
import { pack, unpack } from "../../api/registry";
import { refusalOf } from "../../api/refused";
import type { Board, BoardSeat, Choice } from "../../boards/board";
import { games } from "../games.svelte";
import { usualLevel } from "../lobby/wishes";
import { becomePlayer, line, server } from "../server.svelte";
import { settings } from "../settings.svelte";
import { t } from "../text/text.svelte";
import { newShare } from "../share";
import { Playback } from "./playback.svelte";
import { sceneKeeper } from "./scenes";
import { Sight } from "./sight.svelte";
import { before, eventsOf, recentOf } from "./recent";

/** Returns the scene of a view, or undefined when the server does not say it. */
export const sceneOf = sceneKeeper(async (game, view) => (await server.call("describeView", { game, view })).scene);

/** Most actions that are asked for. */
const MOST_ACTIONS = 20_000;

export class Table {
  readonly id: string;
  /** What the player's seats see; a spectator's sight when he has none. */
  sights = $state.raw<readonly Sight[]>([]);
  /** The refusal that the player is told. */
  refusal = $state.raw<Refusal | undefined>();
  /** Why there is nothing to see. */
  gone = $state.raw<Refusal | undefined>();
  /** The version of an earlier position that the player looks at. */
  looking = $state.raw<bigint | undefined>();
  /** The newest update that was shown as it came, to be spoken. */
  news = $state.raw<Update | undefined>();
  /** Whether the player looks at the board from its other side. */
  flipped = $state(false);
  hints = $state.raw<{ version: bigint; list: readonly Hint[] } | undefined>();
  /** What the player asked for and has no answer yet. */
  doing = $state<string | undefined>();
  /** What the player has said of his own last action before it was played, by its notation. */
  said = $state.raw<{ notation: string; label: string } | undefined>();
  /** Counts moves that were taken back before they were played: boards then begin to choose anew. */
  #reconsidered = $state(0);
  #asking = $state.raw<{ version: bigint; choice: Choice } | undefined>();
  #all = $state.raw<{ version: bigint; actions: readonly ActionChoice[] } | undefined>();
  #awaited = $state.raw(0n);
  /** The version in which the client has moved by itself, so that a refusal does not make it try for ever. */
  #moved = 0n;

  /** Whether the player was dealt another seat, and has not been told since that the game began. */
  #dealt = false;

  /** The game's own board. */
  board = $state.raw<Board | undefined>();

  /** Shows updates in the pace that the board asks for. */
  readonly playback = new Playback({
    next: (version) => {
      const past = this.sight?.past ?? [];
      return past[before(past, version)];
    },
    head: () => this.live?.version ?? 0n,
    stages: (update) => {
      const pace = this.board?.pace;
      if (pace === undefined || this.looking !== undefined || settings.plain) return [];
      const [view, newest] = [unpack(update.view), unpack(this.live?.view)];
      const seat = (update.happening?.seat ?? 0) - 1;
      const done = { seat: seat < 0 ? undefined : seat, events: eventsOf(update) };
      const kept = settings.keptBy(this.session?.game ?? "");
      return pace({ ...done, view, newest, seats: this.boardSeats, kept });
    },
    presented: (update) => {
      if (update.version > (this.news?.version ?? 0n)) this.news = update;
    },
  });

  readonly seats = $derived(this.sights.flatMap((sight) => (sight.seat === undefined ? [] : [sight.seat])));
  /** The sight that is shown: of the seat to act, where the player has several. */
  readonly sight = $derived.by((): Sight | undefined => {
    const acting = this.sights.find((each) => each.seat !== undefined && each.update?.toAct.includes(each.seat));
    const [first] = this.sights;
    return acting ?? first;
  });
  /** The newest update. */
  readonly live = $derived(this.sight?.update);
  /** The update that the play at the table has come to, as it is shown: the newest one, or one that leads there. */
  readonly update = $derived.by((): Update | undefined => {
    const { at } = this.playback;
    if (at === undefined) return this.live;
    const past = this.sight?.past ?? [];
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
  /** Whether one of the player's seats is to act. */
  readonly myTurn = $derived(
    this.running &&
      this.playback.at === undefined &&
      this.sight?.seat !== undefined &&
      (this.update?.toAct.includes(this.sight.seat) ?? false),
  );
  readonly busy = $derived(this.doing === "act" || (this.update?.version ?? 0n) < this.#awaited);
  /** The update whose position is shown: an earlier one, or the newest. */
  readonly shown = $derived.by((): Update | undefined => {
    if (this.looking === undefined) return this.update;
    return this.sight?.past.find((each) => each.version === this.looking) ?? this.update;
  });
  readonly view = $derived(unpack(this.shown?.view));
  /** The plies that stand and have been shown. */
  readonly plies = $derived.by((): readonly Update[] => {
    const plies = this.sight?.plies ?? [];
    return this.playback.at === undefined ? plies : plies.slice(0, before(plies, this.playback.at));
  });
  /** How many plies have been played, but not shown yet. */
  readonly behind = $derived((this.sight?.plies.length ?? 0) - this.plies.length);
  /** The events that made the position shown. */
  readonly events = $derived.by(() => {
    const version = this.shown?.version ?? 0n;
    const ply = this.sight?.plies.findLast((each) => each.version <= version);
    const stands = ply?.happening?.ply === this.shown?.session?.plies;
    const events = (stands ? ply?.happening?.events : this.shown?.happening?.events) ?? [];
    return events.map((event) => unpack(event));
  });
  /** The events that led to the position shown, a list for each ply. */
  readonly recent = $derived(recentOf(this.sight?.plies ?? [], this.sight?.past ?? [], this.shown?.version ?? 0n));
  /** What the player may do: what the update told, or all of it once it was asked for. */
  readonly #actions = $derived(
    this.#all?.version === this.update?.version ? (this.#all?.actions ?? []) : (this.update?.actions ?? []),
  );
  /** Whether there is more than that. */
  readonly hasMore = $derived(this.update?.moreActions === true && this.#all?.version !== this.update.version);
  readonly choices = $derived.by((): Choice[] => {
    const { session } = this;
    void this.#heed();
    if (!this.myTurn || this.looking !== undefined || session === undefined) return [];
    return this.#actions.map((action, key) => ({
      key,
      places: action.places,
      notation: action.notation,
      label: games.words(session.game, action.label),
      // Decoded by the boards that look at it only.
      get action() {
        return unpack(action.action);
      },
    }));
  });

  readonly boardSeats = $derived.by((): BoardSeat[] => {
    const { session, update, game } = this;
    const held = this.seats;
    return (session?.seats ?? []).map(({ occupant }, seat) => ({
      name: games.seatName(session?.game ?? "", seat),
      who: this.who(seat),
      colour: game?.seats[seat]?.colour ?? "",
      computer: occupant?.kind.case === "computer",
      mine: held.includes(seat),
      acts: this.running && (update?.toAct.includes(seat) ?? false),
    }));
  });

  /** The seats whose persons are connected; undefined while that is not known. */
  readonly present = $derived(line.state === "open" ? this.sight?.present : undefined);

  constructor(id: string) {
    this.id = id;
    this.sit();
  }

  /** Takes the seats that the player holds now. */
  sit(): void {
    for (const sight of this.sights) sight.stop();
    const seats = [...server.wallet.seats(this.id)];
    const held: [number | undefined, string][] = seats.length > 0 ? seats : [[undefined, ""]];
    this.sights = held.map(([seat, token]) => this.#look(seat, token));
  }

  /** Returns who plays a seat, in words; nothing when nobody does. */
  who(seat: number): string {
    const { session, game } = this;
    const kind = session?.seats[seat]?.occupant?.kind;
    if (kind?.case === "person") return kind.value.name;
    if (kind?.case !== "computer") return "";
    const level = game?.levels.find((each) => each.id === kind.value.level);
    const name = games.words(session?.game ?? "", level?.label) || kind.value.level;
    const depth = kind.value.depth > 0 ? ` ${String(kind.value.depth)}` : "";
    return `${t("seat.computer")} · ${name}${depth}`;
  }

  /** Ends all watching. */
  leave(): void {
    this.playback.leave();
    for (const sight of this.sights) sight.stop();
  }

  #look(seat: number | undefined, token: string): Sight {
    return new Sight(this.id, seat, token, {
      happened: () => this.playback.arrived(),
      begun: () => {
        this.playback.jump();
        // What began with the seats being dealt came while the player had no eyes for it.
        if (this.#dealt && this.live !== undefined) this.news = this.live;
        this.#dealt &&= this.live === undefined;
      },
      lost: () => this.#lose(seat),
      moved: (to) => {
        if (seat === undefined) return;
        server.wallet.moveSeat(this.id, seat, to);
        this.#dealt = true;
        this.sit();
      },
      ended: (refusal) => {
        if (seat !== undefined && refusal.reason === Reason.NOT_YOUR_SEAT) this.#lose(seat);
        else this.gone = refusal;
      },
    });
  }

  #lose(seat: number | undefined): void {
    if (seat !== undefined) server.wallet.forgetSeat(this.id, seat);
    this.sit();
  }

  /** Returns the token of a seat of the player's; empty when it is not his. */
  tokenOf(seat: number | undefined): string {
    return this.sights.find((sight) => sight.seat === seat)?.token ?? "";
  }

  get #seat(): { sessionId: string; seatToken: string } {
    return { sessionId: this.id, seatToken: this.sight?.token ?? "" };
  }

  /** Does something that may be refused; the player is told why. Returns whether it was done. */
  async try(what: string, act: () => Promise<void>): Promise<boolean> {
    if (this.doing !== undefined) return false;
    this.doing = what;
    this.refusal = undefined;
    try {
      await act();
      return true;
    } catch (error) {
      this.refusal = refusalOf(error);
      return false;
    } finally {
      this.doing = undefined;
    }
  }

  /** Plays one of the actions that the player was offered, or asks him first when he wants that. */
  choose(choice: Choice): Promise<boolean> {
    if (!settings.confirm) return this.#play(choice);
    this.#asking = { version: this.update?.version ?? 0n, choice };
    return Promise.resolve(false);
  }

  /** The action that the player is asked about; nothing once the position has changed. */
  get asking(): Choice | undefined {
    return this.#asking?.version === this.update?.version && this.choices.length > 0 ? this.#asking?.choice : undefined;
  }

  /** Plays the action that the player was asked about. */
  confirm(): Promise<boolean> {
    const choice = this.asking;
    this.#asking = undefined;
    return choice === undefined ? Promise.resolve(false) : this.#play(choice);
  }

  /** Plays nothing; the player may choose again. */
  reconsider(): void {
    if (this.#asking !== undefined) this.#reconsidered++;
    this.#asking = undefined;
  }

  #play(choice: Choice): Promise<boolean> {
    this.said = { notation: choice.notation, label: choice.label };
    const action = this.#actions[choice.key]?.action;
    return action === undefined ? Promise.resolve(false) : this.#act({ action });
  }

  /** Plays an action that a board has put together. */
  build(type: string, fields: object): Promise<boolean> {
    return this.#act({ action: pack(type, fields) });
  }

  /** Plays an action that the player has written down. */
  write(notation: string): Promise<boolean> {
    return this.#act({ notation });
  }

  #act(what: { action: Any } | { notation: string }): Promise<boolean> {
    const expectedVersion = this.update?.version ?? 0n;
    return this.try("act", async () => {
      const { version } = await server.call("act", { ...this.#seat, expectedVersion, ...what });
      this.#awaited = version;
    });
  }

  /** Asks for all that the player may do, where the update could not tell it all; for boards that need the whole list. */
  async loadActions(): Promise<void> {
    const version = this.update?.version ?? 0n;
    const actions: ActionChoice[] = [];
    let pageToken = "";
    do {
      const page = await server
        .call("listActions", { ...this.#seat, pageSize: 1000, pageToken })
        .catch(() => undefined);
      if (page === undefined || page.atVersion !== version) return;
      actions.push(...page.actions);
      pageToken = page.nextPageToken;
    } while (pageToken !== "" && actions.length < MOST_ACTIONS);
    this.#all = { version, actions };
  }

  /** The only thing that can be done, when the player wants that to be done without asking. */
  get forced(): Choice | undefined {
    const { update, choices } = this;
    if (!settings.autoplay || this.busy || this.doing !== undefined || update === undefined || update.moreActions)
      return undefined;
    return choices.length === 1 && update.version > this.#moved ? choices[0] : undefined;
  }

  /** Does the only thing that can be done. */
  force(choice: Choice): void {
    this.#moved = this.update?.version ?? 0n;
    void this.#play(choice);
  }

  undo(plies: number): Promise<boolean> {
    this.playback.skip();
    const { update } = this;
    return this.try("undo", async () => {
      const toPlies = Math.max(0, (update?.session?.plies ?? 0) - plies);
      await server.call("undo", { ...this.#seat, expectedVersion: update?.version ?? 0n, toPlies });
    });
  }

  resign(): Promise<boolean> {
    return this.try("resign", async () => {
      await server.call("resign", this.#seat);
    });
  }

  propose(kind: NonNullable<Proposal["kind"]>): Promise<boolean> {
    const proposal = create(ProposalSchema, { kind });
    return this.try("propose", async () => {
      await server.call("propose", { ...this.#seat, proposal });
    });
  }

  /** Says which seat the player at one of his seats would like to have; undefined for no wish. */
  wishSeat(seat: number, wished: number | undefined): Promise<boolean> {
    const request = {
      sessionId: this.id,
      seatToken: this.tokenOf(seat),
      wished: wished === undefined ? 0 : wished + 1,
    };
    return this.try("wish", async () => {
      await server.call("wishSeat", request);
    });
  }

  /** Ends the settling: the seats are dealt, and the game begins. */
  begin(): Promise<boolean> {
    const expectedVersion = this.live?.version ?? 0n;
    return this.try("begin", async () => {
      await server.call("beginGame", { ...this.#seat, expectedVersion });
    });
  }

  answer(proposal: Proposal, seat: number, accept: boolean): Promise<boolean> {
    const request = { sessionId: this.id, seatToken: this.tokenOf(seat), proposalId: proposal.id, accept };
    return this.try("answer", async () => {
      await server.call("answerProposal", request);
    });
  }

  join(seat: number): Promise<boolean> {
    return this.try("join", async () => {
      await becomePlayer();
      // A share counts before the start only.
      const waiting = this.session?.state === Session_State.WAITING;
      await server.call("joinSession", { sessionId: this.id, seat, ...(waiting && { share: newShare() }) });
      this.sit();
    });
  }

  /** Takes the seat of another table that is kept for the player; nothing happens where there is none. */
  async sitDown(id: string): Promise<void> {
    await server.call("joinSession", { sessionId: id, seat: -1, share: newShare() }).catch(() => undefined);
  }

  /** Hands a seat of the player's to a computer, or takes it back. */
  handOver(seat: number, level: string): Promise<boolean> {
    return this.try("seat", async () => {
      const wish = { kind: { case: "computer" as const, value: { level } } };
      await server.call("setSeat", { sessionId: this.id, seatToken: this.tokenOf(seat), seat, wish });
    });
  }

  takeBack(seat: number): Promise<boolean> {
    return this.try("seat", async () => {
      const wish = { kind: { case: "me" as const, value: true } };
      await server.call("setSeat", { sessionId: this.id, seatToken: this.tokenOf(seat), seat, wish });
      this.sit();
    });
  }

  /** Gives the player's seat up. */
  leaveSeat(): Promise<boolean> {
    const seat = this.sight?.seat;
    return this.try("leave", async () => {
      await server.call("leaveSession", this.#seat);
      this.#lose(seat);
    });
  }

  /** Makes what calls it be made anew when a move is reconsidered. */
  #heed(): number {
    return this.#reconsidered;
  }

  close(): Promise<boolean> {
    return this.try("close", async () => {
      await server.call("closeSession", this.#seat);
    });
  }

  hint(): Promise<boolean> {
    return this.try("hint", async () => {
      const answer = await server.call("getHint", this.#seat);
      this.hints = { version: answer.forVersion, list: answer.hints };
    });
  }

  /** Creates the rematch, or finds it. Returns its id. */
  async rematch(): Promise<string | undefined> {
    let id: string | undefined;
    await this.try("rematch", async () => {
      id = (await server.call("rematch", this.#seat)).session?.id;
    });
    return id;
  }

  /** Creates a table that goes on from a version of this one, computers in the seats of others. Returns its id. */
  async fork(version: bigint): Promise<string | undefined> {
    const { session, game } = this;
    if (session === undefined || game === undefined) return undefined;
    const own = this.seats.length > 0 ? this.seats : [0];
    const seats = session.seats.map((seat, index) => {
      if (own.includes(index)) return { kind: { case: "me" as const, value: true } };
      const kind = seat.occupant?.kind;
      const level = kind?.case === "computer" ? kind.value.level : usualLevel(game.levels);
      const depth = kind?.case === "computer" ? kind.value.depth : 0;
      return { kind: { case: "computer" as const, value: { level, depth } } };
    });
    let id: string | undefined;
    await this.try("fork", async () => {
      await becomePlayer();
      const request = { sessionId: this.id, seatToken: this.sight?.token ?? "", atVersion: version, seats };
      id = (await server.call("forkSession", request)).session?.id;
    });
    return id;
  }

  /** Goes to an earlier position, or back to the newest. */
  look(version: bigint | undefined): void {
    this.looking = version;
  }

  /** Goes to the position before the first ply. */
  lookFirst(): void {
    this.looking = this.sight?.start?.version;
  }

  /** Goes a number of plies back (-1) or on (1). */
  step(by: number): void {
    const { sight } = this;
    if (sight === undefined) return;
    const stops = [...(sight.start ? [sight.start] : []), ...this.plies].map((each) => each.version);
    const now = this.looking === undefined ? stops.length - 1 : stops.indexOf(this.looking);
    const next = Math.max(0, now + by);
    this.looking = next >= stops.length - 1 ? undefined : stops[next];
  }
}
