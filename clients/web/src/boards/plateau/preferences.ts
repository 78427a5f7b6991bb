/** A player's settings for this board, kept on their device. */

export const LAYOUTS = ["auto", "round", "unrolled"] as const;
export type Wanted = (typeof LAYOUTS)[number];

export interface Preferences {
  /** How the board is drawn. */
  readonly layout: Wanted;
  /** Whether the player draws ways node by node. */
  readonly draw: boolean;
  /** Whether they are warned when their base can be reached. */
  readonly warn: boolean;
}

/** Returns the settings, whatever was kept. */
export function preferencesOf(kept: Readonly<Record<string, unknown>>): Preferences {
  const layout = LAYOUTS.find((each) => each === kept["layout"]) ?? "auto";
  return { layout, draw: kept["draw"] === true, warn: kept["warn"] !== false };
}
