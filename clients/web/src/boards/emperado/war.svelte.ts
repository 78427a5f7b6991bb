/** An attack as a short film: its throws one after another, and how many armies both sides still have. It delays nobody. */
import type { EmperadoFought, EmperadoThrow } from "@brettwerk/client/v1/emperado";
import { still } from "../animation";

/** A throw that is seen, and what both sides have after it. */
export interface Round {
  readonly dice: EmperadoThrow;
  /** Which throw of the attack it is, from 1. */
  readonly number: number;
  readonly attackers: number;
  readonly defenders: number;
}

/** The armies of both sides. */
type Strength = Pick<Round, "attackers" | "defenders">;

/** How many throws are seen, how long all of them take and one at most, in milliseconds; a computer's attack is over soon. */
export const FILM = { rounds: 8, all: 1500, one: 320 };
export const BRIEF = { rounds: 1, all: 300, one: 300 };
/** How many armies of a side are seen to fall at most. */
const MAX_FALLEN = 6;
/** How long the last throw lies there. */
export const REST_MS = 2600;

/**
 * Returns what a throw costs both sides: pairs from the highest die on, a tie goes to the defender (EMP-ATTACK-6), unless dice
 * do not decide alone (EMP-ATTACK-15).
 */
export function lossesOf({ attacker, defender, won }: EmperadoThrow): Strength {
  const pairs = Math.min(attacker.length, defender.length);
  const defenders = won ?? attacker.slice(0, pairs).filter((eyes, pair) => eyes > (defender[pair] ?? 0)).length;
  return { attackers: pairs - defenders, defenders };
}

/**
 * Returns the throws of an attack that are seen, at most `most`: evenly chosen among those that are known, with the last one.
 *
 * Strengths are counted back from the end, so that what was lost in throws that are not known is lost with the first one seen.
 */
export function roundsOf(fought: EmperadoFought, most: number): Round[] {
  const { attackers, defenders, attackersLost, defendersLost, throws, last } = fought;
  const left = { attackers: attackers - attackersLost, defenders: defenders - defendersLost };
  const known: Round[] = [];
  for (const [back, dice] of last.toReversed().entries()) {
    known.unshift({ dice, number: throws - back, ...left });
    const lost = lossesOf(dice);
    left.attackers += lost.attackers;
    left.defenders += lost.defenders;
  }
  const seen = Math.min(most, known.length);
  return Array.from({ length: seen }, (_, round) => known[Math.ceil(((round + 1) * known.length) / seen) - 1]).filter(
    (round) => round !== undefined,
  );
}

export class War {
  readonly rounds: readonly Round[];
  /** How long one throw is seen, in milliseconds. */
  readonly eachMs: number;
  /** How many of the throws that are seen lie on the table; the next one rolls. */
  landed = $state(0);
  /** Whether nothing is seen of it any more. */
  over = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `brief` says whether others go on soon. */
  constructor(
    readonly fought: EmperadoFought,
    brief: boolean,
  ) {
    const length = brief ? BRIEF : FILM;
    this.rounds = roundsOf(fought, length.rounds);
    this.eachMs = Math.min(length.one, length.all / Math.max(1, this.rounds.length));
    if (still()) this.landed = this.rounds.length;
  }

  /** The owner of the attacked country, as positions number owners: from 1, 0 for nobody. */
  get owner(): number {
    return (this.fought.defenderSeat ?? -1) + 1;
  }

  get rolling(): boolean {
    return this.landed < this.rounds.length;
  }

  /** The throw that rolls, or the last one; undefined where none is known. */
  get shown(): Round | undefined {
    return this.rounds[Math.min(this.landed, this.rounds.length - 1)];
  }

  /** Returns after how many throws each army falls that is seen to fall, of a side. */
  fallsOf(side: keyof Strength): number[] {
    const falls: number[] = [];
    this.rounds.forEach((round, index) => {
      const lost = (this.rounds[index - 1] ?? this.fought)[side] - round[side];
      const share = Math.ceil(MAX_FALLEN / this.rounds.length);
      for (let army = 0; army < Math.min(lost, share); army++) falls.push(index + 1);
    });
    return falls.slice(0, MAX_FALLEN);
  }

  /** The armies of both sides after the throws that lie there. */
  get strength(): Strength {
    return this.rounds[this.landed - 1] ?? this.fought;
  }

  /** Begins, or goes on; the film ends by itself. Returns what stops it. */
  play(): () => void {
    this.#wait();
    return () => clearTimeout(this.#timer);
  }

  /** Shows the end at once, or clears the table where that is shown. */
  end(): void {
    if (this.rolling) {
      this.landed = this.rounds.length;
      clearTimeout(this.#timer);
      this.#wait();
    } else this.over = true;
  }

  #wait(): void {
    const { rolling } = this;
    this.#timer = setTimeout(
      () => {
        if (!rolling) this.over = true;
        else {
          this.landed++;
          this.#wait();
        }
      },
      rolling ? this.eachMs : REST_MS,
    );
  }
}
