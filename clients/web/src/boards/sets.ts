/** The sets of boards and pieces by their ids; the first one is what boards draw by themselves. */
export const SETS = ["studio", "cabinet"] as const;
export type SetName = (typeof SETS)[number];
/** Games drawn otherwise than in the first set until the player says something: where another set is the clearer one. */
export const USUAL: Readonly<Record<string, SetName>> = { plateau: "cabinet" };
