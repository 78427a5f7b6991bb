/** The words about a country for those who do not see the map, and for what the player is asked to do. */
import type { EmperadoPosition, EmperadoView } from "@brettwerk/client/v1/emperado";
import type { Say } from "../board";
import { chanceOf, type Orders } from "./orders";
import type { Mark } from "./marks";
import { nameOf } from "./narration";
import { COUNTRIES } from "./world";

/** The facts about all countries at the moment. */
interface Known {
  readonly view: EmperadoView;
  /** The names of the seats' players. */
  readonly players: readonly string[];
  /** Where somebody may act, and where nobody may any more. */
  readonly stars: ReadonlySet<number>;
  readonly blocked: ReadonlySet<number>;
  readonly marks: ReadonlyMap<number, Mark>;
  /** The country that is chosen to act from. */
  readonly source: number | undefined;
  readonly say: Say;
}

/** Returns the sentence about a country: whose it is, its armies, and what the player can do there. */
export function labelOf(country: number, { view, players, stars, blocked, marks, source, say }: Known): string {
  const id = COUNTRIES[country]?.id ?? "";
  const owner = view.position?.owners[country] ?? 0;
  const args = { seat: players[owner - 1] ?? "", armies: String(view.position?.armies[country] ?? 0) };
  const what = owner === 0 ? "ghosts" : stars.has(country) ? "active" : "armies";
  const words = [say(`${what}.${id}`, args)];
  if (blocked.has(country)) words.push(say("board.emperado.blocked"));
  const mark = marks.get(country);
  if (mark === "moving") return say("board.picked", { place: words.join(", ") });
  if (mark === "target") words.push(say("board.emperado.move"));
  if (mark === "capture" && source !== undefined) {
    words.push(say("board.emperado.attack.odds", { chance: chanceOf(view, source, country) ?? "" }));
  }
  return words.join(", ");
}

/** The facts about the turn. */
interface Doing {
  /** The name of the player at turn. */
  readonly seat: string;
  /** Whether what others have done is still being shown to the player, who is next. */
  readonly isNext: boolean;
  /** Whether the player is to act. */
  readonly acts: boolean;
  readonly can: Orders;
  /** The country that is chosen to act from, and the one that it is about to act on. */
  readonly source: number | undefined;
  readonly target: number | undefined;
  readonly say: Say;
}

/** Returns the sentence that says what is done now. */
export function hintOf(position: EmperadoPosition, { seat, isNext, acts, can, source, target, say }: Doing): string {
  if ((position.end as number) > 0) return say("board.emperado.over");
  if (isNext) return say("board.emperado.next");
  if (!acts) return say("board.emperado.turn", { seat });
  if (can.entering) return say("board.emperado.enter");
  if (can.placeable.size > 0) return say("board.emperado.place", { armies: String(position.toPlace) });
  if (source !== undefined) {
    const strong = (country: number): string => `${nameOf(country, say)} ${String(position.armies[country] ?? 0)}`;
    const order = target === undefined ? undefined : can.orders.get(source)?.get(target);
    if (target === undefined || order === undefined) return say("board.emperado.aim", { country: nameOf(source, say) });
    return `${strong(source)} ${order === "attack" ? "→" : "⇒"} ${strong(target)}`;
  }
  return say(can.orders.size > 0 ? "board.emperado.act" : "board.emperado.finish");
}
