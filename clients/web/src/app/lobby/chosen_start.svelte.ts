/** The start position that the next new table is created with, until it is created or given up. */
import type { Any } from "@bufbuild/protobuf/wkt";

interface ChosenStart {
  readonly game: string;
  /** Its name, where it has one. */
  readonly name: string;
  readonly position: Any;
}

class Chosen {
  start = $state.raw<ChosenStart | undefined>();
  /** The view that an editor is to begin with. */
  shown = $state.raw<Any | undefined>();
  /** The settling table that an editor was opened from, and that its board is brought back to. */
  table: string | undefined;
}

export const chosen = new Chosen();
