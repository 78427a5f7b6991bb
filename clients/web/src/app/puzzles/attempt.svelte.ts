/** A puzzle that is being solved: what can be done on its board, what was tried last, and the solution once it is asked for. */
import type { Any } from "@bufbuild/protobuf/wkt";
import { Reason, type Refusal } from "@brettwerk/client/v1/errors";
import type { ActionChoice } from "@brettwerk/client/v1/games";
import type { KeptChance, Puzzle, PuzzleProgress, PuzzleSource } from "@brettwerk/client/v1/puzzles";
import { refusalOf } from "@brettwerk/client/wire";
import { pack, unpack } from "../../api/registry";
import { browserStorage } from "../../api/storage";
import type { Advice, Choice } from "../../boards/board";
import { games } from "../games.svelte";
import { server } from "../server.svelte";
import { matching } from "./action_match";
import { remember } from "./solved_puzzles";

/** The action tried last, and what it keeps. */
interface Tried {
  readonly action: ActionChoice;
  readonly kept: number;
  readonly right: boolean;
}

const NONE: readonly Choice[] = [];

export class Attempt {
  readonly puzzle: Puzzle;
  progress = $state.raw<PuzzleProgress | undefined>();
  tried = $state.raw<Tried | undefined>();
  solution = $state.raw<readonly KeptChance[] | undefined>();
  source = $state.raw<PuzzleSource | undefined>();
  refusal = $state.raw<Refusal | undefined>();
  /** Whether the board meant an action that the puzzle does not list. */
  unlisted = $state(false);
  busy = $state(false);
  /** Counts what was tried: boards then begin to choose anew. */
  #round = $state(0);

  readonly view = $derived.by(() => unpack(this.puzzle.view));
  /** Whether there is nothing to find any more. */
  readonly done = $derived.by(() => this.tried?.right === true || this.solution !== undefined);
  readonly choices = $derived.by((): readonly Choice[] => {
    void this.#heed();
    if (this.done) return NONE;
    return this.puzzle.actions.map((action, key) => ({
      key,
      places: action.places,
      notation: action.notation,
      label: games.words(this.puzzle.game, action.label),
      // Decoded by the boards that look at it only.
      get action() {
        return unpack(action.action);
      },
    }));
  });
  /** The board's marks: the right action that was found, or all right ones. */
  readonly advice = $derived.by((): readonly Advice[] => {
    const shown = this.solution?.filter(({ kept }) => kept >= this.puzzle.needed);
    const { tried } = this;
    const marked = shown ?? (tried?.right === true ? [{ action: tried.action, kept: tried.kept }] : []);
    return marked.map(({ action, kept }) => ({
      places: action?.places ?? [],
      chance: kept * this.puzzle.winChance,
      action: unpack(action?.action),
    }));
  });

  constructor(puzzle: Puzzle, progress: PuzzleProgress | undefined) {
    this.puzzle = puzzle;
    this.progress = progress;
  }

  choose(choice: Choice): Promise<void> {
    return this.#try(this.puzzle.actions[choice.key]);
  }

  /** Tries an action that a board has put together. */
  build(type: string, fields: object): Promise<void> {
    const built: Any = pack(type, fields);
    return this.#try(matching(this.puzzle.actions, built));
  }

  /** Tries an action that the player has written down. Returns whether there is one. */
  async write(notation: string): Promise<boolean> {
    const wanted = notation.trim().toLowerCase();
    const action = this.puzzle.actions.find((each) => each.notation.toLowerCase() === wanted);
    await this.#try(action);
    return action !== undefined;
  }

  async #try(action: ActionChoice | undefined): Promise<void> {
    if (this.busy || this.done) return;
    [this.unlisted, this.refusal] = [action?.action === undefined, undefined];
    if (action?.action === undefined) {
      this.#round++;
      return;
    }
    this.busy = true;
    try {
      const answer = await server.call("tryPuzzle", { puzzleId: this.puzzle.puzzleId, action: action.action });
      this.tried = { action, kept: answer.kept, right: answer.right };
      this.progress = answer.progress;
      if (answer.right) {
        this.source = answer.source;
        remember(browserStorage("localStorage"), this.puzzle.game, this.puzzle.day);
      }
    } catch (error) {
      this.refusal = refusalOf(error);
      this.unlisted = this.refusal.reason === Reason.ILLEGAL;
    } finally {
      this.busy = false;
      this.#round++;
    }
  }

  /** Asks for the solution. */
  async show(): Promise<void> {
    if (this.busy) return;
    [this.busy, this.refusal, this.unlisted] = [true, undefined, false];
    try {
      const answer = await server.call("showSolution", { puzzleId: this.puzzle.puzzleId });
      [this.solution, this.source, this.progress] = [answer.actions, answer.source, answer.progress];
    } catch (error) {
      this.refusal = refusalOf(error);
    } finally {
      this.busy = false;
    }
  }

  /** Makes what calls it be recreated when something was tried. */
  #heed(): number {
    return this.#round;
  }

  /** Begins again. */
  again(): void {
    [this.tried, this.solution, this.source, this.refusal, this.unlisted] = [
      undefined,
      undefined,
      undefined,
      undefined,
      false,
    ];
    this.#round++;
  }
}
