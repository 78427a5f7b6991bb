/** The conditional moves of the player's seat at a table, as they are set. */
import { ClockSpec_Kind } from "@brettwerk/client/v1/record";
import { server } from "../server.svelte";
import { othersPlay } from "../table/actions/fair_help";
import type { Table } from "../table/state/table.svelte";
import { isSame, type Line } from "./lines";
import type { Plan } from "./plan.svelte";

const DAY_MS = 86_400_000n;

export class ConditionalMoves {
  /** The lines that are set; undefined while that is not known. */
  lines = $state.raw<readonly Line[] | undefined>();
  /** Whether the session can have any, as its options are. */
  possible = $state(false);
  /** The plan that the player has not saved yet, so that it is there again when they come back. */
  planning: Plan | undefined;
  readonly #table: Table;
  #asked = 0;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Whether it is worth asking for them. */
  get mayBe(): boolean {
    const { session, game, running, seats } = this.#table;
    const clock = session?.clock;
    const slow = clock === undefined || clock.kind === ClockSpec_Kind.UNSPECIFIED || clock.timeMs >= DAY_MS;
    return game?.conditionalMoves === true && running && slow && seats.length > 0 && othersPlay(session, seats);
  }

  /** Asks the server what is set. */
  async load(): Promise<void> {
    const asked = ++this.#asked;
    const answer = await server.call("getConditionalMoves", this.#table.requests.seat).catch(() => undefined);
    if (answer === undefined || asked !== this.#asked) return;
    this.possible = answer.possible;
    this.set(answer.lines.map(({ moves }) => movesOf(moves)));
  }

  /** Notes what is set. */
  set(lines: readonly Line[]): void {
    const known = this.lines;
    const alike =
      known?.length === lines.length &&
      known.every(
        (line, at) =>
          line.length === lines[at]?.length && line.every((move, index) => isSame(move, lines[at]?.[index])),
      );
    if (!alike) this.lines = lines;
  }
}

/** Returns moves as they came from the server. */
export function movesOf(
  moves: readonly { seat: number; action?: Line[number]["action"] | undefined; notation: string }[],
): Line {
  return moves.flatMap(({ seat, action, notation }) => (action === undefined ? [] : [{ seat, action, notation }]));
}
