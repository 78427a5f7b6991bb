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
import type { Choice } from "../../boards/board";
import { games } from "../games.svelte";
import { usualLevel } from "../lobby/wishes";
import { becomePlayer, server } from "../server.svelte";
import { settings } from "../settings.svelte";
import { newShare } from "../share";
import { Sight } from "./sight.svelte";

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
  /** The newest update that came live, to be spoken. */
  news = $state.raw<Update | undefined>();
  /** Whether the player looks at the board from its other side. */
  flipped = $state(false);
  hints = $state.raw<{ version: bigint; list: readonly Hint[] } | undefined>();
  /** What the player asked for and has no answer yet. */
  doing = $state<string | undefined>();
  #all = $state.raw<{ version: bigint; actions: readonly ActionChoice[] } | undefined>();
  #awaited = $state.raw(0n);
  /** The version in which the client has moved by itself, so that a refusal does not make it try for ever. */
  #moved = 0n;

  readonly seats = $derived(this.sights.flatMap((sight) => (sight.seat === undefined ? [] : [sight.seat])));
  /** The sight that is shown: of the seat to act, where the player has several. */
  readonly sight = $derived.by((): Sight | undefined => {
    const acting = this.sights.find((each) => each.seat !== undefined && each.update?.toAct.includes(each.seat));
    const [first] = this.sights;
    return acting ?? first;
  });
  readonly update = $derived(this.sight?.update);
  readonly session = $derived(this.update?.session);
  readonly game = $derived(games.get(this.session?.game ?? ""));
  readonly running = $derived(this.session?.state === Session_State.RUNNING);
  readonly over = $derived(
    this.session?.state === Session_State.FINISHED || this.session?.state === Session_State.CLOSED,
  );
  /** Whether one of the player's seats is to act. */
  readonly myTurn = $derived(
    this.running && this.sight?.seat !== undefined && (this.update?.toAct.includes(this.sight.seat) ?? false),
  );
  readonly busy = $derived(this.doing === "act" || (this.update?.version ?? 0n) < this.#awaited);
  /** The update whose position is shown: an earlier one, or the newest. */
  readonly shown = $derived.by((): Update | undefined => {
    if (this.looking === undefined) return this.update;
    return this.sight?.past.find((each) => each.version === this.looking) ?? this.update;
  });
  readonly view = $derived(unpack(this.shown?.view));
  /** The events that made the position shown. */
  readonly events = $derived.by(() => {
    const version = this.shown?.version ?? 0n;
    const ply = this.sight?.plies.findLast((each) => each.version <= version);
    const stands = ply?.happening?.ply === this.shown?.session?.plies;
    const events = (stands ? ply?.happening?.events : this.shown?.happening?.events) ?? [];
    return events.map((event) => unpack(event));
  });
  /** What the player may do: what the update told, or all of it once it was asked for. */
  readonly #actions = $derived(
    this.#all?.version === this.update?.version ? (this.#all?.actions ?? []) : (this.update?.actions ?? []),
  );
  /** Whether there is more than that. */
  readonly hasMore = $derived(this.update?.moreActions === true && this.#all?.version !== this.update.version);
  readonly choices = $derived.by((): Choice[] => {
    const { session } = this;
    if (!this.myTurn || this.looking !== undefined || session === undefined) return [];
    return this.#actions.map((action, key) => ({
      key,
      places: action.places,
      notation: action.notation,
      label: games.words(session.game, action.label),
    }));
  });

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

  /** Ends all watching. */
  leave(): void {
    for (const sight of this.sights) sight.stop();
  }

  #look(seat: number | undefined, token: string): Sight {
    return new Sight(this.id, seat, token, {
      happened: (update) => {
        if (update.version > (this.news?.version ?? 0n)) this.news = update;
      },
      lost: () => this.#lose(seat),
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

  /** Plays one of the actions that the player was offered. */
  choose(choice: Choice): Promise<boolean> {
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
    void this.choose(choice);
  }

  undo(plies: number): Promise<boolean> {
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
    const stops = [...(sight.start ? [sight.start] : []), ...sight.plies].map((each) => each.version);
    const now = this.looking === undefined ? stops.length - 1 : stops.indexOf(this.looking);
    const next = Math.max(0, now + by);
    this.looking = next >= stops.length - 1 ? undefined : stops[next];
  }
}
