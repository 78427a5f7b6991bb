/** The player's tables, as they were when they were last asked for, and how many of them wait for the player. */
import { ListFilter } from "../../api/generated/brettwerk/v1/play_pb";
import { server } from "../server.svelte";
import { inOrder, standingOf, type Standing } from "./standing";

const PAGE = 20;
/** A player has 200 unfinished sessions at most; they come before what is in the archive. */
const MAX_PAGES = 11;

class Turns {
  /** In the order in which they want the player. */
  standings = $state.raw<readonly Standing[]>([]);
  loaded = $state(false);
  /** The table that is on the screen, which knows by itself whose turn it is. */
  shown = $state.raw<{ readonly session: string; readonly isMyTurn: boolean } | undefined>();

  readonly count = $derived.by(() => {
    const others = this.standings.filter(({ isAwaited, session }) => isAwaited && session.id !== this.shown?.session);
    return others.length + (this.shown?.isMyTurn === true ? 1 : 0);
  });

  /** Asks how the tables stand; leaves all as it is when that fails. */
  async load(): Promise<void> {
    const player = server.wallet.player?.id;
    try {
      const found = player === undefined ? [] : await read(player);
      if (server.wallet.player?.id === player) this.standings = inOrder(found);
      this.loaded = true;
    } catch {
      // The list is asked for again soon.
    }
  }
}

async function read(player: string): Promise<Standing[]> {
  const found: Standing[] = [];
  let pageToken = "";
  for (let page = 0; page < MAX_PAGES; page++) {
    const { sessions, turns, nextPageToken } = await server.call("listSessions", {
      filter: ListFilter.MINE,
      pageSize: PAGE,
      pageToken,
    });
    const standings = sessions.map((session, index) => standingOf(session, turns[index], player));
    // Of those that are over the newest are enough.
    found.push(...standings.filter(({ isOver }) => page === 0 || !isOver));
    pageToken = nextPageToken;
    if (pageToken === "" || standings.every(({ isOver }) => isOver)) break;
  }
  return found;
}

export const turns = new Turns();
