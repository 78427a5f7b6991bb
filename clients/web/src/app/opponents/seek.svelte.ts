/** The player's search for an opponent: it goes on on every page of this tab, and a reload takes it up again. */
import { Seek_State, type Seek } from "@brettwerk/client/v1/opponents";
import type { Refusal } from "@brettwerk/client/v1/errors";
import { refusalOf, type RequestOf } from "@brettwerk/client/wire";
import { browserStorage } from "../../api/storage";
import { company } from "../company.svelte";
import { router } from "../router.svelte";
import { becomePlayer, server } from "../server.svelte";
import { enter } from "./table_entry";

const KEPT = "brettwerk.seek";
const WAIT_MS = 4000;
/** After a refusal the next question waits so long. */
const PAUSE_MS = 2000;

type Wanted = Pick<RequestOf<"startSeek">, "game" | "clock" | "competitive" | "leastReliability">;

class OwnSeek {
  /** The search as the server has described it last; undefined where there is none. */
  seek = $state.raw<Seek | undefined>();
  refusal = $state.raw<Refusal | undefined>();
  /** Whether a search has ended without an opponent, and could be begun again. */
  ended = $state(false);
  #wanted: Wanted | undefined;
  /** Counts the searches: what belongs to an earlier one comes too late. */
  #number = 0;
  readonly #storage = browserStorage("sessionStorage");

  /** Begins a search in the place of the one before. */
  async start(wanted: Wanted): Promise<void> {
    const number = ++this.#number;
    this.#wanted = wanted;
    this.refusal = undefined;
    this.ended = false;
    try {
      await becomePlayer();
      const { seek } = await server.call("startSeek", { ...wanted });
      if (number !== this.#number || seek === undefined) return;
      this.#storage.setItem(KEPT, seek.seekId);
      company.wanted = true;
      this.#take(seek);
      void this.#follow(number, seek.seekId);
    } catch (error) {
      if (number === this.#number) this.refusal = refusalOf(error);
    }
  }

  /** Begins the last search again. */
  again(): void {
    if (this.#wanted !== undefined) void this.start(this.#wanted);
  }

  /** Takes up the search that a page before this one has begun. */
  resume(): void {
    const seekId = this.#storage.getItem(KEPT);
    if (seekId === null || this.seek !== undefined) return;
    void this.#follow(++this.#number, seekId);
  }

  /** Ends the search. */
  async stop(): Promise<void> {
    const { seek } = this;
    this.forget();
    if (seek !== undefined) await server.call("stopSeek", { seekId: seek.seekId }).catch(() => undefined);
  }

  /** Goes to the session that was found. */
  async go(): Promise<void> {
    const { seek } = this;
    if (seek === undefined || seek.sessionId === "") return;
    await this.stop();
    await enter(seek.sessionId);
  }

  /** Shows no search any more. */
  forget(): void {
    this.#number++;
    this.#storage.removeItem(KEPT);
    this.seek = undefined;
    this.ended = false;
  }

  async #follow(number: number, seekId: string): Promise<void> {
    while (number === this.#number) {
      try {
        const { seek } = await server.call("followSeek", { seekId, waitMs: WAIT_MS });
        if (number !== this.#number) return;
        if (seek !== undefined && !this.#take(seek)) return;
        if (seek?.state === Seek_State.READY) await pause(PAUSE_MS);
      } catch {
        // The server comes back, or says that the search is over.
        await pause(PAUSE_MS);
      }
    }
  }

  /** Takes in how the search is. Returns whether it goes on. */
  #take(seek: Seek): boolean {
    if (seek.state === Seek_State.OVER) {
      const wasShown = this.seek !== undefined;
      this.forget();
      this.ended = wasShown && this.#wanted !== undefined;
      return false;
    }
    const isNew = seek.state === Seek_State.READY && this.seek?.state !== Seek_State.READY;
    this.seek = seek;
    const { game, competitive, leastReliability, clock } = seek;
    this.#wanted ??= { game, competitive, leastReliability, ...(clock && { clock }) };
    // A player at a table is asked; for everybody else the game begins.
    if (isNew && router.route.page !== "table") {
      void this.go();
      return false;
    }
    return true;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export const ownSeek = new OwnSeek();
