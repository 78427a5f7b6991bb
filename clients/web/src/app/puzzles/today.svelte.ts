/** Today's puzzles, one for each game, as a component asks for them in its setup. */
import type { PuzzleDay } from "@brettwerk/client/v1/puzzles";
import { browserStorage } from "../../api/storage";
import { server } from "../server.svelte";
import { isRemembered } from "./solved_puzzles";

export class Today {
  /** Undefined until they have come; none where they do not. */
  puzzles = $state.raw<readonly PuzzleDay[] | undefined>();
  readonly #storage = browserStorage("localStorage");

  constructor() {
    $effect(() => {
      let wanted = true;
      void server
        .call("listPuzzles", {})
        // Puzzles that do not come are no loss.
        .catch(() => ({ puzzles: [] }))
        .then(({ puzzles }) => {
          if (wanted) this.puzzles = puzzles;
        });
      return () => (wanted = false);
    });
  }

  /** Whether the player, or anybody in this browser, has solved a puzzle. */
  solved({ progress, game, day }: PuzzleDay): boolean {
    return progress?.solved === true || isRemembered(this.#storage, game, day);
  }
}
