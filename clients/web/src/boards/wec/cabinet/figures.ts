/** The pieces as flat figures of tin: an outline, and the lines that are stamped into it. Each fills 100 by 100. */

export interface Figure {
  readonly outline: string;
  readonly lines: string;
  /** Whether it stands on a foot; what is seen from above, swims or flies does not. */
  readonly stands: boolean;
}

const circle = (x: number, y: number, r: number): string => `M${x} ${y - r}a${r} ${r} 0 1 1-.01 0z`;

const SOLDIER: Figure = {
  outline:
    "M36 21a14 14 0 0 1 28 0v2h6v5H30v-5h6zM39 28h22v5a11 9 0 0 1-22 0zM32 45q18-8 36 0l9 43H23zM82 10l5 12h-3.4v66h-3.2V22H77z",
  lines: `${circle(50, 64, 21)}M36 22h28M44 34q6 3 12 0`,
  stands: true,
};

const UNKNOWN: Figure = { outline: "M28 30h44v58H28z", lines: "", stands: true };

const FIGURES: readonly Figure[] = [
  UNKNOWN,
  ...Array.from({ length: 7 }, () => SOLDIER),
  // The Panzer, from above: chains, a hull with a pointed bow, the tower.
  {
    outline: "M12 18h18v70H12zM70 18h18v70H70zM33 32l8-12h18l8 12v54H33zM46 1h8v42h-8zM43.5 1h13v8h-13z",
    lines: `${circle(50, 55, 14)}${circle(50, 58, 5)}M12 29h18M12 40h18M12 51h18M12 62h18M12 73h18M70 29h18M70 40h18M70 51h18M70 62h18M70 73h18M37 76h26M37 81h26`,
    stands: false,
  },
  // The Dozer.
  {
    outline:
      "M20 30h32v20h20v18H14V50h6zM26 36h20v14H26zM59 34h6v16h-6zM13 66h58a11 11 0 0 1 0 22H13a11 11 0 0 1 0-22zM76 38q13 6 12 26q0 15 9 24H80q-6-10-6-24q0-14 2-26z",
    lines: `${circle(18, 77, 6)}${circle(42, 77, 6)}${circle(66, 77, 6)}M56 56h12M56 61h12M82 44q6 8 5 22q0 10 4 16`,
    stands: false,
  },
  // The Cleric: mitre, stole and crook.
  {
    outline:
      "M52 3q15 11 10 26H42q-5-15 10-26zM43 30h18q0 13-9 14q-9-1-9-14zM37 48q15-7 30 0l11 40H26zM16 88V31q0-11 9-11t9 9q0 7-7 7v-5q3 0 3-3q0-4-5-4t-4.5 7V88z",
    lines: "M52 8v17M46 16h12M46 48v39M58 48v39M46 66h12M43 29.500h18",
    stands: true,
  },
  // The Chopper.
  {
    outline:
      "M4 30h7l4 11 25 3Q46 30 62 30q22 1 28 21q0 14-15 15H46q-12-1-15-13L11 50l-7 3zM57 20h6v11h-6zM22 14h74v6H22zM34 76h54v5H34zM44 64h5v14h-5zM70 64h5v14h-5z",
    lines: `M66 36q15 1 19 15H66zM50 36v14h10V36M36 53h26${circle(8, 40, 6)}`,
    stands: false,
  },
  // The Jet, from above.
  {
    outline: "M50 2q6 10 6 29l37 37v10L58 69l-1 13 14 10v6l-21-6-21 6v-6l14-10-1-13L7 78V68l37-37Q44 12 50 2z",
    lines: "M50 14q3 5 3 13l-3 4-3-4q0-8 3-13zM44 36v28M56 36v28M20 68l22-14M80 68L58 54M50 72v18",
    stands: false,
  },
  // The Sub.
  {
    outline: "M12 56q3-13 23-14h8l2-15h18l2 15h8q19 2 20 15q-1 14-22 15H35q-20-1-23-13l-9 9V46zM51 27V14h11v5h-6v8z",
    lines: `${circle(40, 57, 4)}${circle(54, 57, 4)}${circle(68, 57, 4)}M47 34h14M14 63q8 4 20 4h38q12-1 18-4`,
    stands: false,
  },
  // The Destroyer.
  {
    outline:
      "M3 58h29V46h11V34h6V20h10v14h3v12h10v12h3v-9h8v2h14v5H85v2h12q-4 16-14 25H18Q8 73 3 58zM35 46V20h3v26zM29 58v-7H16v3h9v4z",
    lines: `M8 67h85M49 25h10${circle(26, 74, 2.5)}${circle(40, 74, 2.5)}${circle(54, 74, 2.5)}${circle(68, 74, 2.5)}M46 40h13M36 52h32`,
    stands: false,
  },
  // The AAA.
  {
    outline:
      "M12 72h76v10H12zM32 72q0-20 18-20t18 20zM40 58L20 14l7-3 22 43zM54 55L46 6l8-1 10 50zM17 14l12-6 3 6-12 6zM43 5l13-2 1 7-13 2zM24 80a9 9 0 1 1-.01 0zM76 80a9 9 0 1 1-.01 0z",
    lines: `${circle(50, 64, 6)}${circle(24, 89, 3.5)}${circle(76, 89, 3.5)}M16 77h68`,
    stands: false,
  },
  // The King: crown, beard and sceptre.
  {
    outline:
      "M46 1h8v5h5v6h-5v4l13-8-2 17H35L33 8l13 8v-4h-5V6h5zM36 26h28v9q-1 14-14 20q-13-6-14-20zM29 51q10 4 21 11q11-7 21-11l10 37H19zM83 24a6.5 6.5 0 1 1-.01 0zM81 36h5v52h-5z",
    lines: "M39 36q5 5 11 1q6 4 11-1M36 25.500h28M50 62v25M26 78h48M44 44q6 5 12 0",
    stands: true,
  },
  // The Dictator: cap, uniform and medals.
  {
    outline:
      "M24 20Q50-4 76 20l-5 11H29zM50 8l2.6 6h6.400l-5 4 2 6.5-6-4-6 4 2-6.5-5-4h6.400zM29 32h42l4 6q-25 7-50 0zM36 41h28v7q-3 12-14 12t-14-12zM16 88q0-25 20-29l14 9 14-9q20 4 20 29z",
    lines: "M44 50h12M50 68v19M18 72h12M70 72h12M58 76h9v8h-9zM36 76h6M36 82h6",
    stands: true,
  },
  // The Avatar: halo and wings.
  {
    outline:
      "M35 7a15 5 0 1 0 30 0a15 5 0 1 0-30 0zM40 7a10 2 0 1 1 20 0a10 2 0 1 1-20 0zM50 14a10 11 0 1 1-.01 0zM42 38h16l14 50H28zM39 40Q24 14 3 16q1 17 10 28l-6 1q5 12 16 16l-5 2q7 9 19 6zM61 40Q76 14 97 16q-1 17-10 28l6 1q-5 12-16 16l5 2q-7 9-19 6z",
    lines: "M12 26q14 4 24 20M18 46q10 2 18 10M88 26q-14 4-24 20M82 46q-10 2-18 10M50 44v42M42 62q8 5 16 0",
    stands: true,
  },
  // The President, behind a lectern with a star.
  {
    outline:
      "M50 4q13 0 13 14t-13 17q-13-3-13-17t13-14zM24 54q2-16 17-18l9 7 9-7q15 2 17 18zM18 56h64l-5 32H23zM50 60l3 7h8l-6 5 2.5 8-7.5-5-7.5 5 2.5-8-6-5h8z",
    lines: "M38 17q6-8 24-4M50 43v11M46 46l4 4 4-4M20 60h14M66 60h14",
    stands: true,
  },
  // The Queen: a crown with five points, and a gown.
  {
    outline:
      "M26 6a4 4 0 1 1-.01 0zM38 2a4 4 0 1 1-.01 0zM50 0a4 4 0 1 1-.01 0zM62 2a4 4 0 1 1-.01 0zM74 6a4 4 0 1 1-.01 0zM27 13l10 6 2-10 7 9 4-11 4 11 7-9 2 10 10-6-6 16H33zM36 30h28q3 14-3 18H39q-6-4-3-18zM43 49h14l4 11q16 8 20 28H19q4-20 20-28z",
    lines: "M42 31q1 13 8 15q7-2 8-15M40 61h20M45 62l-9 25M55 62l9 25M50 62v25",
    stands: true,
  },
  // The Assassin: hood and dagger.
  {
    outline:
      "M50 3q20 8 20 33q0 9-4 14l4 4 11 34H19l11-34 4-4q-4-5-4-14q0-25 20-33zM50 16q-10 6-10 20q2 9 10 11q8-2 10-11q0-14-10-20zM50 54l-4.5 6v15H39v4h8v7h6v-7h8v-4h-6.500V60z",
    lines: "M44 33l5 2M56 33l-5 2M34 52l-8 34M66 52l8 34",
    stands: true,
  },
  // The Acolyte, who holds up a light.
  {
    outline:
      "M50 1q8 9 0 17q-8-8 0-17zM46 19h8v10h-8zM50 34a10 11 0 1 1-.01 0zM26 66q0-26 18-37h12q18 11 18 37l-9 2q-1-19-11-28h-8q-10 9-11 28zM38 58h24l15 30H23z",
    lines: "M50 60v27M42 60l-8 26M58 60l8 26M46 45h2M52 45h2",
    stands: true,
  },
  // The Prime Minister: a top hat and an umbrella.
  {
    outline:
      "M33 4h28v20h9v6H24v-6h9zM36 31h23v8q-2 10-11.5 11Q38 49 36 39zM22 88q-2-31 13-36l12 7 12-7q12 4 12 36zM83 34q-9 24-4 38h2v11q0 3-3 3t-3-3h-4q0 7 7 7t7-7V72h2q5-14-4-38z",
    lines: "M33 19h28M47 59v28M42 60l5 6 5-6M40 39q7 4 14 0M52 72h8",
    stands: true,
  },
];

/** Returns the figure of a kind of piece. */
export function figureOf(kind: number): Figure {
  return FIGURES[kind] ?? UNKNOWN;
}
