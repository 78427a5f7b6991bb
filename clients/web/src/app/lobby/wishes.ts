/** The seating of a new table: the choices of the form, and what is sent to the server. */
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Game, Level } from "@brettwerk/client/v1/games";
import type { SeatWishSchema } from "@brettwerk/client/v1/play";

/** The wish for a seat. The level and the depth are kept while somebody else is chosen. */
export interface Wish {
  readonly who: "me" | "computer" | "open";
  readonly level: string;
  /** The search depth; 0 for the level's own. */
  readonly depth: number;
}

/** The opponent that a newcomer wants. */
export type Company = "computer" | "friend" | "here";

/** Returns the level that computers play at first: the one called normal, or the middle one. */
export function usualLevel(levels: readonly Level[]): string {
  const usual = levels.find((level) => level.id === "normal") ?? levels[Math.floor((levels.length - 1) / 2)];
  return usual?.id ?? "";
}

/** Returns the seat that the creator takes: the first that is not a computer's by default. */
function ownSeat(game: Game): number {
  return Math.max(
    0,
    game.seats.findIndex((seat) => !seat.computerByDefault),
  );
}

/** Returns the wishes for a game of `seats` seats in a company. */
export function wishesFor(game: Game, seats: number, company: Company): Wish[] {
  const others = { computer: "computer", friend: "open", here: "me" } as const;
  const own = ownSeat(game);
  const level = usualLevel(game.levels);
  return Array.from({ length: seats }, (_, seat) => ({ who: seat === own ? "me" : others[company], level, depth: 0 }));
}

/** Returns the deepest search that a level lets a seat ask for; 0 when its depth is fixed. */
export function deepest(game: Game, wish: Wish): number {
  return game.levels.find((level) => level.id === wish.level)?.maxDepth ?? 0;
}

/**
 * Returns a wish as it is sent to the server.
 *
 * @param seedContribution what the creator contributes to the seeds, for their own seats.
 */
export function seatWish(
  game: Game,
  wish: Wish,
  seedContribution: Uint8Array,
): MessageInitShape<typeof SeatWishSchema> {
  if (wish.who === "me") return { kind: { case: "me", value: true }, seedContribution };
  if (wish.who === "open") return { kind: { case: "open", value: true } };
  const most = deepest(game, wish);
  const depth = most === 0 ? 0 : Math.min(most, Math.max(1, wish.depth || Math.ceil(most / 2)));
  return { kind: { case: "computer", value: { level: wish.level, depth } } };
}
