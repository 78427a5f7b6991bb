/** The player's tables, as they were when they were last asked for, and how many of them wait for the player. */
import { ListFilter } from "@brettwerk/client/v1/play";
import { type Session, type TurnState } from "@brettwerk/client/v1/sessions";
import { now } from "../now.svelte";
import { server } from "../server.svelte";
import { inOrder, isOver, tableStatus, type TableStatus } from "./table_status";

const PAGE = 20;
/** A player has 200 unfinished sessions at most; they come before what is in the archive. */
const MAX_PAGES = 11;

interface Found {
  readonly session: Session;
  readonly turn: TurnState | undefined;
}

class Turns {
  #found = $state.raw<readonly Found[]>([]);
  #player = $state<string | undefined>();
  /** In the order in which they want the player. */
  readonly statuses = $derived.by<readonly TableStatus[]>(() => {
    const at = now();
    return inOrder(this.#found.map(({ session, turn }) => tableStatus(session, turn, this.#player, at)));
  });
  loaded = $state(false);
  /** The table that is on the screen, which knows by itself whose turn it is. */
  shown = $state.raw<{ readonly session: string; readonly isMyTurn: boolean } | undefined>();

  readonly count = $derived.by(() => {
    const others = this.statuses.filter(({ isAwaited, session }) => isAwaited && session.id !== this.shown?.session);
    return others.length + (this.shown?.isMyTurn === true ? 1 : 0);
  });

  /** Asks how the tables stand; leaves all as it is when that fails. */
  async load(): Promise<void> {
    const player = server.wallet.player?.id;
    try {
      const found = player === undefined ? [] : await read();
      if (server.wallet.player?.id === player) [this.#found, this.#player] = [found, player];
      this.loaded = true;
    } catch {
      // The list is asked for again soon.
    }
  }
}

async function read(): Promise<Found[]> {
  const found: Found[] = [];
  let pageToken = "";
  for (let page = 0; page < MAX_PAGES; page++) {
    const { sessions, turns, nextPageToken } = await server.call("listSessions", {
      filter: ListFilter.MINE,
      pageSize: PAGE,
      pageToken,
    });
    // Of those that are over the newest are enough.
    const tables = sessions.map((session, index) => ({ session, turn: turns[index] }));
    found.push(...tables.filter(({ session }) => page === 0 || !isOver(session)));
    pageToken = nextPageToken;
    if (pageToken === "" || sessions.every(isOver)) break;
  }
  return found;
}

export const turns = new Turns();
