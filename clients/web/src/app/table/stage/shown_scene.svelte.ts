/** The scene of the view that is shown, for boards that know no game. */
import type { Any } from "@bufbuild/protobuf/wkt";
import type { Scene } from "@brettwerk/client/v1/games";
import { describe } from "../state/table.svelte";

/**
 * Returns the scene of the view that `read` returns, which stays until that of the next view is there; no view where none is
 * needed. To be called when a component is made.
 */
export function shownScene(read: () => { game: string; view: Any | undefined }): { readonly scene: Scene | undefined } {
  let scene = $state.raw<Scene | undefined>();
  $effect(() => {
    const { game, view } = read();
    if (view === undefined) return;
    let wanted = true;
    void describe(game, view).then((found) => {
      if (wanted && found?.scene !== undefined) scene = found.scene;
    });
    return () => (wanted = false);
  });
  return {
    get scene() {
      return scene;
    },
  };
}
