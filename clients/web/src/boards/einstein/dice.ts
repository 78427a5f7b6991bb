/** The dice of both sides: what each shows, and how a cube lies that shows it. */
import type { EinsteinEvent, EinsteinPosition } from "@brettwerk/client/v1/einstein";

/** A side's die. */
export interface Die {
  /** The number that it shows; 0 where the side has not rolled. */
  readonly roll: number;
  /** Names the throw while it is the one to move with; empty afterwards. */
  readonly thrown: string;
}

/** Returns the dice by seat: that of the side to move as it was rolled, that of the other as it moved with it. */
export function diceOf(position: EinsteinPosition, recent: readonly (readonly unknown[])[]): readonly [Die, Die] {
  const rolls: [number, number] = [0, 0];
  let rolled = 0;
  for (const { kind } of recent.flat() as readonly EinsteinEvent[]) {
    if (kind.case === "rolled") rolled = kind.value;
    else if (kind.case === "moved") {
      rolls[kind.value.seat === 0 ? 0 : 1] = rolled;
      // A side with one stone moves without a roll (EWN-TURN-5).
      rolled = 0;
    }
  }
  const dieOf = (seat: 0 | 1): Die =>
    position.winnerSeat === undefined && position.toMove === seat
      ? { roll: position.roll, thrown: position.roll > 0 ? `${seat} ${position.squares.join(" ")}` : "" }
      : { roll: rolls[seat], thrown: "" };
  return [dieOf(0), dieOf(1)];
}

/** Where the pips of a face lie: left or right (-1, 0, 1), up or down. */
type Pips = readonly (readonly [number, number])[];

/** A face of the cube. */
interface Face {
  readonly roll: number;
  readonly pips: Pips;
  /** How the face is turned away from the front of the cube. */
  readonly turned: string;
  /** How the cube is turned to have it in front. */
  readonly front: string;
}

const CORNERS: Pips = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
];
const MIDDLE = [0, 0] as const;

/** The faces from 1 to 6; those that lie opposite each other make seven. */
export const FACES: readonly Face[] = [
  { roll: 1, pips: [MIDDLE], turned: "", front: "" },
  {
    roll: 2,
    pips: [
      [-1, -1],
      [1, 1],
    ],
    turned: "rotateY(90deg)",
    front: "rotateY(-90deg)",
  },
  { roll: 3, pips: [[-1, -1], MIDDLE, [1, 1]], turned: "rotateX(90deg)", front: "rotateX(-90deg)" },
  { roll: 4, pips: CORNERS, turned: "rotateX(-90deg)", front: "rotateX(90deg)" },
  { roll: 5, pips: [...CORNERS, MIDDLE], turned: "rotateY(-90deg)", front: "rotateY(90deg)" },
  {
    roll: 6,
    pips: [...CORNERS, [-1, 0], [1, 0]],
    turned: "rotateY(180deg)",
    front: "rotateY(180deg)",
  },
];

/** Returns how a cube lies that shows a roll: its front face is as large as the die's place. */
export function lying(roll: number): string {
  return `translateZ(calc(-1 * var(--half))) ${FACES[roll - 1]?.front ?? ""}`;
}

/** Returns the film of a cube that tumbles until it shows a roll. */
export function tumble(roll: number): Keyframe[] {
  const at = (turns: number, up: number): string =>
    `translateY(${-up}%) ${turns === 0 ? "" : `rotate3d(1, 0.7, 0.25, ${Math.round(-turns * 360)}deg)`} ${lying(roll)}`;
  return [
    { transform: at(2, 0), easing: "ease-out" },
    { transform: at(1.1, 34), easing: "ease-in", offset: 0.35 },
    { transform: at(0.3, 0), easing: "ease-out", offset: 0.7 },
    { transform: at(0.1, 9), easing: "ease-in", offset: 0.85 },
    { transform: at(0, 0) },
  ];
}
