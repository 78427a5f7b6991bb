/** Returns what the board needs of a map. */
export function drawing(map: unknown): unknown;
