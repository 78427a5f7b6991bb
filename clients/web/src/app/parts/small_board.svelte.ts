/** How views are drawn in small, each on the board that it is of: what this client has no drawing of, the server tells the places of. */
import { untrack } from "svelte";
import { readKept } from "../../api/shared_answers";
import { pack } from "../../api/registry";
import { loadThumbnail, otherBoardOf, type ReadBoard, type SmallBoard } from "../../boards/thumbnail";
import { server } from "../server.svelte";
import { settings } from "../settings.svelte";

/**
 * Returns the drawing of the view that `read` returns, the same promise for all views of one board. The game's types have to be
 * there by the time that there is a view. To be called when a component is made.
 */
export function smallBoard(read: () => { readonly game: string; readonly view: unknown }): {
  readonly drawing: Promise<SmallBoard | undefined>;
} {
  const key = $derived.by(() => {
    const { game, view } = read();
    return JSON.stringify([game, otherBoardOf(game, view)]);
  });
  const drawing = $derived.by(() => {
    void key;
    return untrack(() => {
      const { game, view } = read();
      return smallOf(game, view);
    });
  });
  return {
    get drawing() {
      return drawing;
    },
  };
}

/** Returns how one view is drawn in small. Raises an Error when something of it does not come. */
export function smallOf(game: string, view: unknown): Promise<SmallBoard | undefined> {
  return loadThumbnail(game, view, askBoard);
}

/** Asks the server, whose answer is the same for everybody and kept by the browser. */
const askBoard: ReadBoard = async (game, { type, fields }) => {
  const { language } = settings;
  const request = { game, language, withoutRulesPage: true, withoutRuleSentences: true, showsBoard: true };
  const asked = { ...request, options: pack(type, fields) };
  return ((await readKept("getGame", asked)) ?? (await server.call("getGame", asked))).board;
};
