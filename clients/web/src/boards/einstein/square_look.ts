/** How a square looks. */
export interface SquareLook {
  /** The words spoken for it. */
  readonly label: string;
  /** A stone that may be chosen, the stone that is moving, or a square it can go to. */
  readonly mark?: "candidate" | "moving" | "target" | "capture";
  /** Whether what would be captured is the player's own. */
  readonly own?: boolean;
  /** Whether the last move began or ended here. */
  readonly last: boolean;
  /** Whether its stone can be dragged. */
  readonly movable: boolean;
  /** Whether it is the corner that somebody runs for. */
  readonly goal: boolean;
  /** A chance to be written on it. */
  readonly chance?: string;
}
