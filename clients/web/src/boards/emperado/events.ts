/** The facts that the events of a step tell. */
import type { EmperadoEvent } from "@brettwerk/client/v1/emperado";

/** The facts that each kind of event tells. */
type Facts = { [Kind in EmperadoEvent["kind"] as Kind["case"] & string]: Kind["value"] };

/** Returns what the first event of a kind tells; undefined where there is none. */
export function happened<C extends keyof Facts>(events: readonly unknown[], kind: C): Facts[C] | undefined {
  const found = (events as readonly EmperadoEvent[]).find((each) => each.kind.case === kind);
  return found?.kind.value as Facts[C] | undefined;
}
