/** The player's tables, as they were when they were last asked for, and how many of them wait for the player. */
import { ListFilter } from "@brettwerk/client/v1/play";
import { server } from "../server.svelte";
import { inOrder, tableStatus, type TableStatus } from "./table_status";

const PAGE = 20;
/** A player has 200 unfinished sessions at most; they come before what is in the archive. */
const MAX_PAGES = 11;

class Turns {
  /** In the order in which they want the player. */
  statuses = $state.raw<readonly TableStatus[]>([]);
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
      const found = player === undefined ? [] : await read(player);
      if (server.wallet.player?.id === player) this.statuses = inOrder(found);
      this.loaded = true;
    } catch {
      // The list is asked for again soon.
    }
  }
}

async function read(player: string): Promise<TableStatus[]> {
  const found: TableStatus[] = [];
  let pageToken = "";
  for (let page = 0; page < MAX_PAGES; page++) {
    const { sessions, turns, nextPageToken } = await server.call("listSessions", {
      filter: ListFilter.MINE,
      pageSize: PAGE,
      pageToken,
    });
    const statuses = sessions.map((session, index) => tableStatus(session, turns[index], player, server.time.now));
    // Of those that are over the newest are enough.
    found.push(...statuses.filter(({ isOver }) => page === 0 || !isOver));
    pageToken = nextPageToken;
    if (pageToken === "" || statuses.every(({ isOver }) => isOver)) break;
  }
  return found;
}

export const turns = new Turns();
