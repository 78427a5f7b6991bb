/**
 * A finished game that several people watch together, as one of them takes part: at the position that the presenter has chosen,
 * or looking around by themselves.
 */
import type { Refusal } from "@brettwerk/client/v1/errors";
import type { Talk as TalkMessage } from "@brettwerk/client/v1/talk";
import {
  WatchedViewing_State as State,
  type Viewing as Shown,
  type ViewingMark,
  type WatchedViewing,
} from "@brettwerk/client/v1/viewings";
import { refusalOf, type RequestOf } from "@brettwerk/client/wire";
import { becomePlayer, server } from "../server.svelte";

type Change = NonNullable<RequestOf<"changeViewing">["change"]>;

/** How long a position is shown while the game is played, in milliseconds. */
const PLAY_MS = 1600;
/** For how long the presenter's own position counts after the server has taken it, unless it tells the same sooner; in ms. */
const SETTLES_MS = 1000;

/** The table whose game it is. */
export interface Looked {
  readonly id: string;
  /** The versions at which positions can be looked at, oldest first; the last one is the newest. */
  readonly stops: readonly bigint[];
  /** The version of an earlier position that is looked at. */
  looking: bigint | undefined;
  step(by: number): void;
  lookFirst(): void;
  readonly talk: { hear(talk: TalkMessage): void };
}

export class Viewing {
  readonly id: string;
  readonly #table: Looked;
  state = $state(State.UNSPECIFIED);
  shown = $state.raw<Shown | undefined>();
  /** The player's id as the server was last heard; empty for a stranger. */
  me = $state(server.wallet.player?.id ?? "");
  /** Whether the position is the one that all see. */
  inStep = $state(true);
  /** Whether touches of the board draw. */
  drawing = $state(false);
  /** Whether the game is played, position by position. */
  playing = $state(false);
  /** Why the last thing was refused. */
  refusal = $state.raw<Refusal | undefined>();
  /** The position that the presenter has gone to and the server has not told yet. */
  #ahead = $state.raw<bigint | undefined>();
  #sends = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The position that all see. */
  readonly version = $derived(this.#ahead ?? this.shown?.version);
  readonly open = $derived(this.state === State.OPEN && this.shown !== undefined);
  /** Whether the player presents. */
  readonly presents = $derived(this.open && this.isMe(this.shown?.presenter?.playerId));
  /** Whether the player may draw on the position that all see. */
  readonly mayDraw = $derived.by(() => {
    if (!this.open || !this.inStep || this.me === "") return false;
    if (this.presents || this.shown?.everybodyDraws === true) return true;
    return this.shown?.viewers.some(({ playerId, draws }) => draws && this.isMe(playerId)) ?? false;
  });
  /** Whether the player goes through the game by themselves, for all or for nobody else. */
  readonly steps = $derived(this.presents || !this.inStep || !this.open);
  /** The marks on the position that is shown. */
  readonly marks = $derived.by((): readonly ViewingMark[] => {
    const isThere = this.#ahead === undefined || this.#ahead === this.shown?.version;
    return this.open && this.inStep && isThere ? (this.shown?.marks ?? []) : [];
  });

  constructor(table: Looked, id: string) {
    this.#table = table;
    this.id = id;
  }

  /** Whether a player's id is the player's own. */
  isMe(playerId: string | undefined): boolean {
    return this.me !== "" && playerId === this.me;
  }

  /** Takes what the server tells. */
  hear({ state, viewing, talk }: WatchedViewing): void {
    this.state = state;
    this.me = server.wallet.player?.id ?? "";
    if (viewing !== undefined) this.shown = viewing;
    if (talk !== undefined) this.#table.talk.hear(talk);
    if (viewing?.version === this.#ahead && !this.#sends) this.#ahead = undefined;
    if (state !== State.OPEN) this.playing = this.drawing = false;
  }

  /** Shows the position that all see, unless the player looks around. */
  follow(): void {
    if (!this.open || !this.inStep || this.version === undefined) return;
    this.#table.looking = stopAt(this.#table.stops, this.version);
  }

  /** The player has gone to another position: the presenter for all, others for themselves. */
  looked(): void {
    if (!this.open) return;
    if (!this.presents || !this.inStep) {
      this.inStep = this.drawing = false;
      return;
    }
    this.#ahead = this.#table.looking ?? this.#table.stops.at(-1);
    void this.#send();
  }

  /** Goes back to the position that all see. */
  rejoin(): void {
    this.playing = false;
    this.inStep = true;
    this.follow();
  }

  /** Goes through the game by itself, from its start where it has come to its end; or stops that. */
  play(plays: boolean): void {
    this.playing = plays;
    clearTimeout(this.#timer);
    if (!plays) return;
    if (this.#table.looking === undefined) this.#table.lookFirst();
    this.#wait();
  }

  /** Ends all waiting. */
  leave(): void {
    clearTimeout(this.#timer);
  }

  /** Changes something for all. Returns whether that was done. */
  async change(change: Change): Promise<boolean> {
    this.refusal = undefined;
    try {
      await server.call("changeViewing", { sessionId: this.#table.id, viewingId: this.id, change });
      return true;
    } catch (error) {
      this.refusal = refusalOf(error);
      return false;
    }
  }

  /** Draws a mark, or removes it where the player may and it is there already. */
  async toggle(place: string, toPlace: string): Promise<boolean> {
    const there = this.marks.find((each) => each.place === place && each.toPlace === toPlace);
    return this.change({ case: there === undefined ? "addedMark" : "removedMark", value: { place, toPlace } });
  }

  /** Whether the player may remove a mark. */
  mayRemove({ playerId }: ViewingMark): boolean {
    return this.presents || (this.mayDraw && this.isMe(playerId));
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      this.#table.step(1);
      this.playing &&= this.#table.looking !== undefined && this.steps;
      if (this.playing) this.#wait();
    }, PLAY_MS);
  }

  /** Sends the newest position; those passed meanwhile are left out. */
  async #send(): Promise<void> {
    if (this.#sends) return;
    this.#sends = true;
    try {
      let sent: bigint | undefined;
      while (this.#ahead !== undefined && this.#ahead !== sent) {
        sent = this.#ahead;
        if (!(await this.change({ case: "version", value: sent }))) break;
      }
    } finally {
      this.#sends = false;
      const settled = this.#ahead;
      if (settled === this.shown?.version) this.#ahead = undefined;
      else
        setTimeout(() => {
          if (this.#ahead === settled && !this.#sends) this.#ahead = undefined;
        }, SETTLES_MS);
    }
  }
}

/** Returns the version to look at for a version of the game; undefined for the newest. */
export function stopAt(stops: readonly bigint[], version: bigint): bigint | undefined {
  const found = stops.findLast((each) => each <= version) ?? stops[0];
  return found === stops.at(-1) ? undefined : found;
}

/** Starts a viewing of a finished game at a position. Returns its address. Raises Refused. */
export async function startViewing(sessionId: string, version: bigint): Promise<string> {
  await becomePlayer();
  const { viewing } = await server.call("startViewing", { sessionId, version });
  return `/s/${sessionId}/${viewing?.id ?? ""}`;
}
