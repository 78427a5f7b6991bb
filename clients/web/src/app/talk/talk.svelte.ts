/** The talk at a table: the lines that the player hears, what they have not read yet, and what they say. */
import type { Refusal } from "@brettwerk/client/v1/errors";
import { TalkLine_Room, type Talk as Message, type TalkLine } from "@brettwerk/client/v1/talk";
import type { Session } from "@brettwerk/client/v1/sessions";
import { refusalOf } from "@brettwerk/client/wire";
import { games } from "../games.svelte";
import { becomePlayer, server } from "../server.svelte";
import { settings } from "../settings.svelte";
import { mutes } from "./mutes.svelte";

/** Most lines that are kept; the server keeps fewer. */
const MAX_LINES = 700;

/** Where the player sits. */
export interface Place {
  readonly id: string;
  readonly session: Session | undefined;
  readonly seats: readonly number[];
  /** The seat that the player acts for; undefined for a spectator. */
  readonly acting: number | undefined;
  /** The viewing in which the player speaks, where that is none of the table's talk. */
  readonly viewing?: { readonly id: string } | undefined;
  /** Returns the token of a seat of the player's; empty when it is not theirs. */
  tokenOf(seat: number | undefined): string;
}

export class Talk {
  /** Whether it is known what is said here. */
  known = $state(false);
  /** Whether talk is turned off on this server. */
  off = $state(false);
  /** To whom the player speaks. */
  room = $state(TalkLine_Room.UNSPECIFIED);
  /** Why the last thing was refused. */
  refusal = $state.raw<Refusal | undefined>();
  /** Whether something is on its way. */
  busy = $state(false);
  #lines = $state.raw<readonly TalkLine[]>([]);
  /** The id of the last line that the player has read. */
  #read = $state("");
  readonly #place: Place;

  /** The lines that the player wants to hear, oldest first. */
  readonly lines = $derived(this.#lines.filter(({ playerId }) => !mutes.has(playerId)));
  /** How many lines of others the player has not read. */
  readonly unread = $derived.by(() => {
    const after = this.lines.findLastIndex(({ id }) => id === this.#read);
    return this.lines.slice(after + 1).filter((each) => !this.isOwn(each)).length;
  });

  constructor(place: Place) {
    this.#place = place;
  }

  /** Takes what the server tells. */
  hear(talk: Message): void {
    this.off = talk.off;
    if (talk.whole) this.room = talk.room;
    const before = talk.whole ? [] : this.#lines;
    this.#lines = [...before, ...talk.lines].slice(-MAX_LINES);
    if (!this.known) this.#read = talk.lines.at(-1)?.id ?? "";
    this.known = true;
    if (settings.talk) this.read();
  }

  /** Notes that the player has read everything. */
  read(): void {
    this.#read = this.#lines.at(-1)?.id ?? "";
  }

  /** Whether the player said a line. */
  isOwn(line: TalkLine): boolean {
    return this.isMine(line.playerId);
  }

  /** Whether an id is the player's. */
  isMine(playerId: string): boolean {
    return playerId !== "" && playerId === server.wallet.player?.id;
  }

  /** Returns the words of a line in the player's language. */
  wordsOf({ phrase, text }: TalkLine): string {
    if (phrase === "") return text;
    return games.say(this.#place.session?.game ?? "")(`phrase.${phrase}`) || phrase;
  }

  /** Says words or a phrase, to a seat alone or to all. Returns whether that was done. */
  say(said: { text: string } | { phrase: string }, listenerSeat: number | undefined): Promise<boolean> {
    return this.#try(async () => {
      if (this.#place.acting === undefined) await becomePlayer();
      const { id: sessionId, viewing } = this.#place;
      if (viewing !== undefined) {
        await server.call("sayInViewing", { sessionId, viewingId: viewing.id, ...said });
        return;
      }
      const seatToken = this.#place.tokenOf(this.#place.acting);
      const request = {
        sessionId,
        seatToken,
        ...(listenerSeat !== undefined && { listenerSeat }),
        ...said,
      };
      await server.call("say", request);
    });
  }

  /** Tells the operator of a line. Returns whether that was done. */
  report(line: TalkLine): Promise<boolean> {
    const seatToken = this.#place.tokenOf(this.#place.acting);
    return this.#try(async () => {
      if (seatToken === "") await becomePlayer();
      const { id: sessionId, viewing } = this.#place;
      await server.call("reportTalk", { sessionId, seatToken, lineId: line.id, viewingId: viewing?.id ?? "" });
    });
  }

  async #try(act: () => Promise<void>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.refusal = undefined;
    try {
      await act();
      return true;
    } catch (error) {
      this.refusal = refusalOf(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
