/** A session as one seat (or a spectator) sees it: the newest update, and those before it. */
import type { Refusal } from "@brettwerk/client/v1/errors";
import { Resync_Cause, type ComputerWait } from "@brettwerk/client/v1/play";
import { Session_State, type Update } from "@brettwerk/client/v1/sessions";
import type { Talk } from "@brettwerk/client/v1/talk";
import type { Watcher } from "@brettwerk/client/wire";
import { games } from "../../games.svelte";
import { server } from "../../server.svelte";
import { Batches } from "./batches";
import { pliesOf, startOf } from "./plies";

/** Most updates that are kept; the oldest are dropped. */
const MAX_KEPT = 4000;
/** For how long versions are gathered before they are taken: while earlier ones are still being shown, and else; in ms. */
const [WHILE_BEHIND_MS, TWO_FRAMES_MS] = [250, 32];

/** The spectators of a table. */
interface Watchers {
  readonly people: number;
  readonly names: readonly string[];
}

/** The reports of a perspective. */
export interface PerspectiveEvents {
  /** New versions have come live, of which this is the newest. */
  happened(update: Update): void;
  /** Returns whether earlier versions are still being shown, so that new ones are in no hurry. */
  behind(): boolean;
  /** A whole picture has come; what led to it may be fetched later. */
  begun(update: Update): void;
  /** Which computers' moves are waited for at a version. */
  waiting(waits: readonly ComputerWait[], version: bigint): void;
  /** The seat is another's now; or nobody has taken it, and its token has become void or was of a version that is lost. */
  lost(isUntaken: boolean): void;
  /** The seats were dealt, and the token is good for another one now. */
  moved(seat: number): void;
  /** The talk at the table; for one perspective of each table only. */
  talked?(talk: Talk): void;
  /** The viewing that is taken part in, and what is told of it. */
  readonly viewing?: NonNullable<Watcher["viewing"]>;
  /** There is nothing to see any more. */
  ended(refusal: Refusal): void;
}

export class Perspective {
  /** The seat, or undefined for a spectator. */
  readonly seat: number | undefined;
  readonly token: string;
  /** The newest update. */
  update = $state.raw<Update | undefined>();
  /** All known updates in order, without their actions. */
  past = $state.raw<readonly Update[]>([]);
  /** The seats whose persons are connected; undefined while that is unknown. */
  present = $state.raw<readonly number[] | undefined>();
  /** How many people watch who do not sit at the table, and the names of those who show theirs. */
  watchers = $state.raw<Watchers>({ people: 0, names: [] });
  readonly plies = $derived(pliesOf(this.past));
  readonly start = $derived(startOf(this.past, this.plies));
  readonly #session: string;
  readonly #events: PerspectiveEvents;
  readonly #next = new Batches<Update>({
    waitMs: () => (this.#events.behind() ? WHILE_BEHIND_MS : TWO_FRAMES_MS),
    take: (updates) => this.#take(updates),
  });
  readonly #stop: () => void;
  #stopped = false;
  /** Whether the full log has been requested, which is available once the game is over. */
  #inFull = false;

  constructor(session: string, seat: number | undefined, token: string, events: PerspectiveEvents, showName = false) {
    this.#session = session;
    this.seat = seat;
    this.token = token;
    this.#events = events;
    this.#stop = server.watch({
      session,
      seatToken: token,
      updated: (update, arrival) => {
        if (arrival === "next" && !this.#isMoved(update)) {
          this.#next.add(update);
          return;
        }
        this.#next.flush();
        const known = this.update;
        this.update = update;
        if (this.#isMoved(update)) {
          events.moved(update.viewerSeat ?? -1);
          return;
        }
        this.#begin(update);
        events.begun(update);
        if (arrival === Resync_Cause.SEAT) events.lost(isUntaken(known, update));
      },
      present: (seats) => {
        if (seats.join() !== this.present?.join()) this.present = seats;
      },
      waiting: (waits, version) => events.waiting(waits, version),
      watched: (people, names) => {
        const { watchers } = this;
        if (people === watchers.people && names.join() === watchers.names.join()) return;
        this.watchers = { people, names: [...names] };
      },
      ...(events.talked && { talked: events.talked.bind(events) }),
      ...(events.viewing && { viewing: events.viewing }),
      showName,
      ended: (refusal) => {
        this.#next.flush();
        events.ended(refusal);
      },
    });
  }

  /** Ends the watch. */
  stop(): void {
    this.#stopped = true;
    this.#next.drop();
    this.#stop();
  }

  /** Whether the seats were dealt, and the player has another one now. */
  #isMoved(update: Update): boolean {
    return this.seat !== undefined && update.viewerSeat !== undefined && update.viewerSeat !== this.seat;
  }

  /** Takes the next versions. */
  #take(updates: readonly Update[]): void {
    const newest = updates.at(-1);
    if (newest === undefined) return;
    this.update = newest;
    this.#keep(updates);
    if (this.#opens(newest)) void this.#fetch(1n, newest.version + 1n);
    this.#events.happened(newest);
  }

  /** Takes a whole picture, and fetches what lies between it and what is known. */
  #begin(update: Update): void {
    const known = this.past.filter((each) => each.version < update.version);
    this.past = [...known, bare(update)];
    const from = (known.at(-1)?.version ?? 0n) + 1n;
    if (this.#opens(update)) void this.#fetch(1n, update.version + 1n);
    else if (from < update.version) void this.#fetch(from, update.version);
  }

  /** Whether the game has ended with an update, and so what was hidden of its log can be read. */
  #opens(update: Update): boolean {
    const state = update.session?.state;
    const before = this.#inFull;
    this.#inFull = state === Session_State.FINISHED || state === Session_State.CLOSED;
    return this.#inFull && !before && games.get(update.session?.game ?? "")?.hidden === true;
  }

  async #fetch(from: bigint, until: bigint): Promise<void> {
    let pageToken = "";
    do {
      const request = { sessionId: this.#session, seatToken: this.token, fromVersion: from, pageSize: 200, pageToken };
      const page = await server.call("listUpdates", request).catch(() => undefined);
      if (page === undefined || this.#stopped) return;
      this.#keep(page.updates.filter((each) => each.version < until));
      if ((page.updates.at(-1)?.version ?? until) >= until) return;
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }

  #keep(updates: readonly Update[]): void {
    const newest = this.past.at(-1)?.version ?? 0n;
    const first = updates[0]?.version ?? 0n;
    // Both the server's pages and its stream are in order.
    if (first > newest) {
      this.past = [...this.past, ...updates.map(bare)].slice(-MAX_KEPT);
      return;
    }
    const byVersion = new Map(this.past.map((each) => [each.version, each]));
    for (const each of updates) byVersion.set(each.version, bare(each));
    this.past = [...byVersion.values()].sort((one, other) => Number(one.version - other.version)).slice(-MAX_KEPT);
  }
}

/**
 * Whether nobody has taken a seat that was lost: its token has become void, or was of a version that the server has lost. Everybody
 * perceives that a seat changes hands, and so something newer; where spectators are told later, that cannot be known.
 */
export function isUntaken(known: Update | undefined, now: Update): boolean {
  if (known === undefined || (now.session?.spectatorDelay ?? 0) > 0) return false;
  return now.version <= known.version || now.atMs <= known.atMs;
}

/** An update of the past needs no actions. */
function bare(update: Update): Update {
  return { ...update, actions: [] };
}
