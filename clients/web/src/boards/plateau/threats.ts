/** The armies that can reach the base, in so few words that a phone shows them at once: the board draws all their ways. */
import type { Army } from "./armies";

/** How many armies are named. */
const NAMED = 4;

/** Returns where the first armies stand, those of each seat together, and how many more there are. */
export function namedFew(
  armies: readonly Army[],
  nodeName: (node: number) => string,
  seatName: (seat: number) => string,
): string {
  const first = armies.slice(0, NAMED);
  const seats = [...new Set(first.map(({ seat }) => seat))];
  const named = seats.map((seat) => {
    const nodes = first.filter((army) => army.seat === seat).map(({ node }) => nodeName(node));
    return `${nodes.join(", ")} (${seatName(seat)})`;
  });
  const more = armies.length - first.length;
  return named.join(", ") + (more > 0 ? ` +${more}` : "");
}
