/** Positions as the server describes them, for boards and ears that know no game. */
import type { Any } from "@bufbuild/protobuf/wkt";
import type { Fact, Scene, Text } from "@brettwerk/client/v1/games";

/** The maximum number of changes that are described for one move. */
const MAX_CHANGES = 4;

/**
 * Returns what has changed among the facts of two scenes (a roll, a count), in sentences: each fact with its new value.
 *
 * @param words says a text of the game in the player's language.
 */
export function changesOf(before: Scene, after: Scene, words: (text: Text | undefined) => string): string {
  const line = (fact: Fact): string => `${words(fact.label)}: ${words(fact.value)}.`;
  const known = new Set(before.facts.map(line));
  return after.facts
    .map(line)
    .filter((each) => !known.has(each))
    .slice(0, MAX_CHANGES)
    .join(" ");
}

/**
 * Returns a function that asks something about a view once, such as its scene, however often it is wanted. Events are always the
 * same for a view: those that came with it.
 */
export function viewCache<Answer>(
  ask: (game: string, view: Any, events: readonly Any[]) => Promise<Answer | undefined>,
) {
  const kept = new WeakMap<Any, Promise<Answer | undefined>>();
  return (game: string, view: Any, events: readonly Any[] = []): Promise<Answer | undefined> => {
    let found = kept.get(view);
    if (found === undefined) {
      found = ask(game, view, events).catch(() => {
        kept.delete(view);
        return undefined;
      });
      kept.set(view, found);
    }
    return found;
  };
}
