/** Values that are told on only when they have changed. */
import { untrack } from "svelte";

/**
 * Returns the values that `read` returns, which follow them from one drawing to the next.
 *
 * Dependents of a state are looked at when the state is set, once for each way that leads there, though it may turn out that
 * nothing has changed for them. From a table many ways lead to each value, and from a value many into a board with its hundreds
 * of squares: together more than all drawing. Here every one of those ways ends, and only what has changed goes on.
 */
export function memo<Values extends object>(read: () => Values): Values {
  const followed = {} as Values;
  const set: ((values: Values) => void)[] = [];
  const first = untrack(read);
  for (const name of Object.keys(first) as (keyof Values)[]) {
    let value = $state.raw(first[name]);
    Object.defineProperty(followed, name, { enumerable: true, get: () => value });
    set.push((values) => (value = values[name]));
  }
  $effect.pre(() => {
    const values = read();
    untrack(() => {
      for (const each of set) each(values);
    });
  });
  return followed;
}
