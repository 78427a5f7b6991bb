/** A player's requests to the server at a table, one at a time; refusals are shown. */
import { create } from "@bufbuild/protobuf";
import type { Refusal } from "@brettwerk/client/v1/errors";
import type { Game } from "@brettwerk/client/v1/games";
import { ProposalSchema, type Proposal } from "@brettwerk/client/v1/record";
import { Session_State, type Session, type Update } from "@brettwerk/client/v1/sessions";
import { refusalOf } from "@brettwerk/client/wire";
import { usualLevel, type Wish } from "../../lobby/wishes";
import { becomePlayer, server } from "../../server.svelte";
import { newSeedContribution } from "../../seed_contribution";
import { hasOthers, sameAgain } from "../setup/new_game";

/** The seat in a session that something is asked for. */
interface SeatOf {
  readonly sessionId: string;
  readonly seatToken: string;
}

/** Where the player sits. */
export interface Place {
  readonly id: string;
  readonly session: Session | undefined;
  readonly game: Game | undefined;
  readonly seats: readonly number[];
  /** The update that is shown, and the newest one. */
  readonly update: Update | undefined;
  readonly live: Update | undefined;
  /** The seat that the player acts for. */
  readonly acting: number | undefined;
  /** Returns the token of a seat of the player's; empty when it is not theirs. */
  tokenOf(seat: number | undefined): string;
  /** Takes the seats that the player holds now. */
  sit(): void;
  /** Forgets a seat that the player has no longer. */
  lose(seat: number | undefined): void;
  /** Shows at once what has been played. */
  catchUp(): void;
}

export class Requests {
  /** The refusal that the player sees. */
  refusal = $state.raw<Refusal | undefined>();
  /** The request that was refused. */
  refused = $state("");
  /** The player's request that has no answer yet. */
  doing = $state<string | undefined>();
  /** The seat that the player has asked for on this page as a substitute. */
  asked = $state<number | undefined>();
  readonly #place: Place;
  /** Counts what was asked for. */
  #round = 0;
  /** Gives up what was asked for last. */
  #given = new AbortController();

  constructor(place: Place) {
    this.#place = place;
  }

  /** Whether nothing else can be asked for now. A hint takes its time; who does not wait for it plays on. */
  get busy(): boolean {
    return this.doing !== undefined && this.doing !== "hint";
  }

  /** The seat that the player acts for, as the server expects it. */
  get seat(): SeatOf {
    return this.#of(this.#place.acting);
  }

  #of(seat: number | undefined): SeatOf {
    return { sessionId: this.#place.id, seatToken: this.#place.tokenOf(seat) };
  }

  /**
   * Does something that may be refused; the player sees why. Returns whether it was done.
   *
   * @param act is told a way to ask whether the player still wants what is being done, and a signal for when they do not.
   */
  async try(what: string, act: (wanted: () => boolean, signal: AbortSignal) => Promise<void>): Promise<boolean> {
    if (this.busy) return false;
    this.stopHint();
    const round = ++this.#round;
    const given = (this.#given = new AbortController());
    const wanted = (): boolean => round === this.#round;
    this.doing = what;
    this.refusal = undefined;
    try {
      await act(wanted, given.signal);
      return true;
    } catch (error) {
      if (wanted()) this.refuse(what, refusalOf(error));
      return false;
    } finally {
      if (wanted()) this.doing = undefined;
    }
  }

  /** Tells the player that something was refused. */
  refuse(what: string, refusal: Refusal): void {
    this.refused = what;
    this.refusal = refusal;
  }

  /** Waits no longer for a hint. */
  stopHint(): void {
    if (this.doing !== "hint") return;
    this.#given.abort();
    this.#round++;
    this.doing = undefined;
  }

  undo(plies: number): Promise<boolean> {
    this.#place.catchUp();
    const { update } = this.#place;
    return this.try("undo", async () => {
      const toPlies = Math.max(0, (update?.session?.plies ?? 0) - plies);
      await server.call("undo", { ...this.seat, expectedVersion: update?.version ?? 0n, toPlies });
    });
  }

  resign(): Promise<boolean> {
    return this.try("resign", async () => {
      await server.call("resign", this.seat);
    });
  }

  /** Reminds those whose turn it is. */
  nudge(): Promise<boolean> {
    return this.try("nudge", async () => {
      await server.call("nudge", this.seat);
    });
  }

  /** Claims that the time of another seat is up. */
  claimTime(claimedSeat: number): Promise<boolean> {
    return this.try("claim", async () => {
      await server.call("claimTime", { ...this.seat, claimedSeat });
    });
  }

  /** Claims the same, so that the seat is offered to substitutes. */
  offerSeat(claimedSeat: number): Promise<boolean> {
    return this.try("claim", async () => {
      await server.call("claimTime", { ...this.seat, claimedSeat, forSubstitute: true });
    });
  }

  /** Asks for a seat whose player is gone, or takes that back; sits down where it is the player's at once. */
  askForSeat(seat: number, withdraw = false): Promise<boolean> {
    return this.try("substitute", async () => {
      await becomePlayer();
      const { session } = await server.call("askForSeat", { sessionId: this.#place.id, seat, withdraw });
      const kind = session?.seats[seat]?.occupant?.kind;
      const seated = kind?.case === "person" && kind.value.playerId === server.wallet.player?.id;
      this.asked = withdraw || seated ? undefined : seat;
      if (!seated) return;
      await server.call("joinSession", { sessionId: this.#place.id, seat });
      this.#place.sit();
    });
  }

  /** Agrees to a substitute in a seat, or declines, for a seat of the player's. */
  answerSubstitute(own: number, seat: number, accept: boolean): Promise<boolean> {
    return this.try("substitute", async () => {
      await server.call("answerSubstitute", { ...this.#of(own), seat, accept });
    });
  }

  propose(kind: NonNullable<Proposal["kind"]>): Promise<boolean> {
    const proposal = create(ProposalSchema, { kind });
    return this.try("propose", async () => {
      await server.call("propose", { ...this.seat, proposal });
    });
  }

  /** Says which seat the player at one of their seats would like to have; undefined for no wish. */
  wishSeat(seat: number, wished: number | undefined): Promise<boolean> {
    const request = {
      ...this.#of(seat),
      ...(wished !== undefined && { wishedSeat: wished }),
    };
    return this.try("wish", async () => {
      await server.call("wishSeat", request);
    });
  }

  /** Ends the settling: the seats are dealt, and the game begins. */
  begin(): Promise<boolean> {
    const expectedVersion = this.#place.live?.version ?? 0n;
    return this.try("begin", async () => {
      await server.call("beginGame", { ...this.seat, expectedVersion });
    });
  }

  answer(proposal: Proposal, seat: number, accept: boolean): Promise<boolean> {
    const request = { ...this.#of(seat), proposalId: proposal.id, accept };
    return this.try("answer", async () => {
      await server.call("answerProposal", request);
    });
  }

  join(seat: number): Promise<boolean> {
    this.asked = undefined;
    return this.try("join", async () => {
      await becomePlayer();
      // A seed contribution counts before the start only.
      const waiting = this.#place.session?.state === Session_State.WAITING;
      await server.call("joinSession", {
        sessionId: this.#place.id,
        seat,
        ...(waiting && { seedContribution: newSeedContribution() }),
      });
      this.#place.sit();
    });
  }

  /** Takes the seat of another table that is kept for the player; nothing happens where there is none. */
  async sitDown(id: string): Promise<void> {
    await server
      .call("joinSession", { sessionId: id, seat: -1, seedContribution: newSeedContribution() })
      .catch(() => undefined);
  }

  /** Hands a seat of the player's to a computer, or takes it back. */
  /** Lets a computer sit at a seat; a depth of 0 is the level's own. */
  handOver(seat: number, level: string, depth = 0): Promise<boolean> {
    return this.try("seat", async () => {
      const wish = { kind: { case: "computer" as const, value: { level, depth } } };
      await server.call("setSeat", { ...this.#of(seat), seat, wish });
    });
  }

  takeBack(seat: number): Promise<boolean> {
    return this.try("seat", async () => {
      const wish = { kind: { case: "me" as const, value: true } };
      await server.call("setSeat", { ...this.#of(seat), seat, wish });
      this.#place.sit();
    });
  }

  /** Gives the player's seat up. */
  leaveSeat(): Promise<boolean> {
    const seat = this.#place.acting;
    return this.try("leave", async () => {
      await server.call("leaveSession", this.seat);
      this.#place.lose(seat);
    });
  }

  close(): Promise<boolean> {
    return this.try("close", async () => {
      await server.call("closeSession", this.seat);
    });
  }

  /** Creates the rematch, or finds it. Returns its id. */
  async rematch(): Promise<string | undefined> {
    let id: string | undefined;
    await this.try("rematch", async () => {
      id = (await server.call("rematch", this.seat)).session?.id;
    });
    return id;
  }

  /** Creates a new game like this one with these at its seats; this one is given up unless others play in it. Returns its id. */
  async newGame(wishes: readonly Wish[]): Promise<string | undefined> {
    const { session, game, seats: held } = this.#place;
    if (session === undefined || game === undefined) return undefined;
    let id: string | undefined;
    await this.try("rematch", async () => {
      await becomePlayer();
      id = (await server.call("createSession", sameAgain(game, session, wishes, newSeedContribution))).session?.id;
      const isOver = session.state === Session_State.FINISHED || session.state === Session_State.CLOSED;
      if (isOver || hasOthers(session, held, server.wallet.player?.id ?? "")) return;
      // The new game is there; whoever may not close the old one leaves it as it is.
      await server.call("closeSession", this.seat).catch(() => undefined);
    });
    return id;
  }

  /** Creates a table that goes on from a version of this one, computers in the seats of others. Returns its id. */
  async fork(version: bigint): Promise<string | undefined> {
    const { session, game, seats: held } = this.#place;
    if (session === undefined || game === undefined) return undefined;
    const own = held.length > 0 ? held : [0];
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
      const request = { ...this.seat, atVersion: version, seats };
      id = (await server.call("forkSession", request)).session?.id;
    });
    return id;
  }
}
