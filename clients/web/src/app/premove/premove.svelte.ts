/** A premove: an action that the player chooses before it is their turn, and that is played when the turn comes, if it can be. */
import type { Any } from "@bufbuild/protobuf/wkt";
import { ClockSpec_Kind } from "@brettwerk/client/v1/record";
import type { Session, Update } from "@brettwerk/client/v1/sessions";
import { pack } from "../../api/registry";
import { settings } from "../settings.svelte";

const DAY_MS = 86_400_000n;

/** The premove that has been chosen. */
export interface Chosen {
  readonly action: Any;
  /** The same as the board has put it together. */
  readonly fields: object;
  /** The action in words. */
  readonly words: string;
  /** How many plies had been played then. */
  readonly plies: number;
}

/** Where it is chosen. */
export interface Place {
  readonly session: Session | undefined;
  readonly live: Update | undefined;
  readonly running: boolean;
  readonly myTurn: boolean;
  readonly covered: boolean;
  readonly seats: readonly number[];
  readonly looking: bigint | undefined;
  readonly board: { readonly premoves?: boolean } | undefined;
  readonly choosing: { playIfListed(action: Any): Promise<boolean> };
}

export class Premove {
  chosen = $state.raw<Chosen | undefined>();
  /** The one that could not be played, to be told; nothing once play has gone on. */
  dropped = $state.raw<{ readonly words: string; readonly plies: number } | undefined>();
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Whether the player can choose one now: in a game of two, under a clock of less than a day, while the other is to act. */
  get possible(): boolean {
    const { session, live, running, myTurn, covered, seats, looking, board } = this.#place;
    const [seat] = seats;
    if (!settings.premove || settings.plain || board?.premoves !== true || !running || covered) return false;
    if (seat === undefined || seats.length > 1 || session?.seats.length !== 2 || !isFast(session)) return false;
    return !myTurn && looking === undefined && live?.toAct.includes(seat) === false;
  }

  get #plies(): number {
    return this.#place.live?.session?.plies ?? 0;
  }

  /** Chooses an action that the board has put together, in place of the one before. */
  choose(type: string, fields: object, words: string): void {
    if (!this.possible) return;
    this.chosen = { action: pack(type, fields), fields, words, plies: this.#plies };
    this.dropped = undefined;
  }

  cancel(): void {
    this.chosen = undefined;
  }

  /** Follows the game, whenever something of it has changed: plays what was chosen, or drops what cannot be played any more. */
  follow(): void {
    const { chosen, dropped } = this;
    const { running, myTurn } = this.#place;
    const plies = this.#plies;
    if (dropped !== undefined && plies !== dropped.plies) this.dropped = undefined;
    if (chosen === undefined) return;
    // A move taken back makes another game; and players who switch premoves off want none.
    if (!running || plies < chosen.plies || !settings.premove) this.chosen = undefined;
    else if (myTurn) void this.#play(chosen);
  }

  async #play(chosen: Chosen): Promise<void> {
    // Nothing is left that could be played a second time, whatever comes of it.
    this.chosen = undefined;
    const isPlayed = await this.#place.choosing.playIfListed(chosen.action);
    if (!isPlayed) this.dropped = { words: chosen.words, plies: this.#plies };
  }
}

/** Whether a session has a clock of less than a day: with more there are conditional moves. */
function isFast({ clock }: Session): boolean {
  return clock !== undefined && clock.kind !== ClockSpec_Kind.UNSPECIFIED && clock.timeMs < DAY_MS;
}
