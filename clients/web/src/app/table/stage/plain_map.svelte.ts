/** The board of a game in places and neighbours, for the board that knows no game: where its places lie on a map, it draws one. */
import type { Board } from "@brettwerk/client/v1/games";
import { server } from "../../server.svelte";
import { settings } from "../../settings.svelte";
import type { Table } from "../state/table.svelte";

/**
 * Returns the board that the table that `read` returns is played on, as soon as it is known; no table where none is needed. It is
 * asked for anew where other options are chosen. To be called when a component is made.
 */
export function plainMap(read: () => Table | undefined): { readonly found: Board | undefined } {
  let found = $state.raw<Board | undefined>();
  const asked = $derived.by(() => {
    const { session } = read() ?? {};
    return session === undefined ? undefined : { session, options: [...(session.options?.value ?? [])].join() };
  });
  const key = $derived(
    asked === undefined ? "" : `${asked.session.game} ${asked.session.seats.length} ${asked.options}`,
  );
  $effect(() => {
    if (key === "" || asked === undefined) return;
    const { game, options, seats } = asked.session;
    let wanted = true;
    const request = { game, language: settings.language, withoutRulesPage: true, withoutRuleSentences: true };
    server
      .call("getGame", { ...request, showsBoard: true, ...(options && { options }), seats: seats.length })
      .then(({ board }) => {
        if (wanted) found = board;
      })
      // Without it the places are a list.
      .catch(() => undefined);
    return () => (wanted = false);
  });
  return {
    get found() {
      return found;
    },
  };
}
