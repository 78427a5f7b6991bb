/** The plies of a session that were not taken back, made from the updates of a session. */
import { Happening_Kind, type Update } from "@brettwerk/client/v1/sessions";

/**
 * Returns the updates of the plies that count, in order; those taken back or replaced are left out.
 *
 * @param updates updates of one watcher in order of version.
 */
export function pliesOf(updates: readonly Update[]): Update[] {
  // Computers make hundreds of plies a second, and this is recreated with each: so no update is looked at more than twice.
  const kept: Update[] = [];
  const keep = (plies: number): void => {
    while ((kept.at(-1)?.happening?.ply ?? 0) > plies) kept.pop();
  };
  for (const update of updates) {
    const happening = update.happening;
    if (happening === undefined) continue;
    if (happening.ply > 0) {
      keep(happening.ply - 1);
      kept.push(update);
    } else if (happening.kind === Happening_Kind.UNDONE) {
      keep(update.session?.plies ?? 0);
    } else if (happening.kind === Happening_Kind.LOADED) {
      keep(0);
    }
  }
  return kept;
}

/** Returns the update that shows the position before the first of `plies`, if it is among `updates`. */
export function startOf(updates: readonly Update[], plies: readonly Update[]): Update | undefined {
  const [first] = plies;
  return updates.findLast(
    (update) => update.view !== undefined && (first === undefined || update.version < first.version),
  );
}
