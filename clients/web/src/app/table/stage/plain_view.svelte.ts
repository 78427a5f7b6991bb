/** The description of the position that is shown, for the board that knows no game: its scene, the last move, and what led there. */
import type { Scene } from "@brettwerk/client/v1/games";
import type { Update } from "@brettwerk/client/v1/sessions";
import { movedPlaces } from "../../../boards/plain/scene_changes";
import type { StoryLine } from "../../../boards/plain/story";
import { t } from "../../text/text.svelte";
import { happeningText } from "../log/happening_text";
import { before } from "../state/recent_events";
import { describeUpdate, type Table } from "../state/table.svelte";

/** The maximum number of plies that are told of. */
const MAX_PLIES = 4;

/** A described position. */
interface PlainView {
  readonly scene: Scene;
  readonly moved: ReadonlySet<string>;
  readonly story: readonly StoryLine[];
}

/** Returns the plies since the seat acted last, that one first; of many the newest ones. */
export function pliesSince(plies: readonly Update[], seat: number | undefined): readonly Update[] {
  const near = plies.slice(-MAX_PLIES);
  const own = near.findLastIndex(({ happening }) => seat !== undefined && happening?.concernedSeat === seat);
  return near.slice(Math.max(0, own));
}

/**
 * Returns the description of what the table that `read` returns shows, which stays until that of the next position is there; no
 * table where nothing is to be shown. To be called when a component is made.
 */
export function plainView(read: () => Table | undefined): { readonly found: PlainView | undefined } {
  let found = $state.raw<PlainView | undefined>();
  $effect(() => {
    const table = read();
    if (table?.shown?.view === undefined) {
      // The next one to look may be another player.
      found = undefined;
      return;
    }
    const { shown, perspective, plies: all, speaker } = table;
    const game = table.session?.game ?? "";
    const plies = all.slice(0, before(all, shown.version));
    const [last, former] = [plies.at(-1), plies.at(-2) ?? perspective?.start];
    const newest = pliesSince(plies, perspective?.seat);
    let current = true;
    const ask = (update: Update | undefined): ReturnType<typeof describeUpdate> =>
      update === undefined ? Promise.resolve(undefined) : describeUpdate(game, update);
    void Promise.all([ask(shown), ask(last), ask(former), ...newest.map(ask)]).then(
      ([now, after, earlier, ...described]) => {
        if (!current || now?.scene === undefined) return;
        const moved = after?.scene && movedPlaces(earlier?.scene, after.scene, after.narrations);
        const story = newest.map(({ version, happening }, index) => ({
          key: String(version),
          seat: happening?.concernedSeat,
          text: happeningText(happening, speaker.seatName, t),
          narrations: described[index]?.narrations ?? [],
        }));
        found = { scene: now.scene, moved: moved ?? new Set<string>(), story };
      },
    );
    return () => (current = false);
  });
  return {
    get found() {
      return found;
    },
  };
}
