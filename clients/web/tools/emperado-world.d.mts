/** Returns what is drawn of a map, however small it is. */
export function drawing(map: unknown): { readonly countries: readonly { readonly path: string }[] };

/** Returns what else a board to play on needs of it. */
export function facts(map: unknown): unknown;
