/** The form of a run: which computers play how many games. */
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Game, Level } from "@brettwerk/client/v1/games";
import type { RunWishSchema } from "@brettwerk/client/v1/statistics";
import { packTableOptions, presets, type OptionValues } from "../../api/options";

interface RunForm {
  /** A level for each seat. */
  readonly levels: readonly string[];
  readonly games: number;
  readonly rotate: boolean;
  /** 0 to have one drawn. */
  readonly seed: number;
  readonly options: OptionValues;
}

const USUAL_GAMES = 1000;

/** Returns the levels that take part in runs. */
export function runLevels(game: Game): readonly Level[] {
  return game.levels.filter(({ runGames }) => runGames > 0);
}

/** Returns how many games a run among such levels may have. */
export function mostGames(game: Game, levels: readonly string[]): number {
  const found = levels.map((level) => game.levels.find(({ id }) => id === level)?.runGames ?? 0);
  return found.length === 0 ? 0 : Math.min(...found);
}

/** Returns what the form has at first: at every seat of the largest table the strongest level that plays that many games soon. */
export function firstForm(game: Game): RunForm {
  const taking = runLevels(game);
  const level = (taking.filter(({ runGames }) => runGames >= USUAL_GAMES).at(-1) ?? taking.at(-1))?.id ?? "";
  const levels = game.seats.map(() => level);
  const games = Math.min(USUAL_GAMES, mostGames(game, levels));
  return { levels, games, rotate: false, seed: 0, options: presets(game, levels.length) };
}

/** Returns the form with that many seats: those that are new have the level of the last one. */
export function withSeats(form: RunForm, seats: number): RunForm {
  const last = form.levels.at(-1) ?? "";
  return { ...form, levels: Array.from({ length: seats }, (_, seat) => form.levels[seat] ?? last) };
}

/** Returns the form with other levels, and no more games than they allow. */
export function withLevels(game: Game, form: RunForm, levels: readonly string[]): RunForm {
  return { ...form, levels, games: Math.min(form.games, mostGames(game, levels)) };
}

/** Returns the form as it is sent to the server. */
export function wishOf(game: Game, form: RunForm): MessageInitShape<typeof RunWishSchema> {
  return {
    game: game.id,
    options: packTableOptions(game, form.options),
    seats: form.levels.map((level) => ({ level })),
    rotate: form.rotate,
    games: form.games,
    seed: BigInt(form.seed),
  };
}
