/** The sets of boards and pieces by their ids; the first one is what boards draw by themselves. */
export const SETS = ["studio", "cabinet"] as const;
export type SetName = (typeof SETS)[number];
