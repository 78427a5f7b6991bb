/** The terms of a tournament or of a match of clubs: the game with its options, the clock, and how players come to their tables. */
import type { Game } from "@brettwerk/client/v1/games";
import { packTableOptions, presets, type OptionValues } from "../../api/options";
import { games } from "../games.svelte";
import { clockSpec, NO_CLOCK, type ClockForm } from "../lobby/clock_form";
import { settings } from "../settings.svelte";

export class Terms {
  clock = $state.raw<ClockForm>({ ...NO_CLOCK, kind: "total" });
  options = $state.raw<OptionValues>({});
  /** How long players have to come to their table, in seconds. */
  joinTimeoutS = $state(300);
  friendly = $state(false);
  #chosen = $state(settings.game);
  readonly #suits: (game: Game) => boolean;
  readonly #seats: () => number;
  readonly playable = $derived.by(() => games.all.filter((each) => each.minSeats <= 2 && this.#suits(each)));
  readonly game = $derived.by(() => this.playable.find(({ id }) => id === this.#chosen) ?? this.playable[0]);
  readonly originals = $derived.by(() => (this.game ? presets(this.game, this.#seats()) : {}));

  /** Terms of a component that is being made: `seats` are those of a table, and `suits` says which games can be chosen. */
  constructor(seats: () => number, suits: (game: Game) => boolean = () => true) {
    [this.#seats, this.#suits] = [seats, suits];
    $effect(() => {
      this.options = this.originals;
    });
    $effect(() => {
      if (this.game) void games.loadWords(this.game.id, settings.language).catch(() => undefined);
    });
  }

  choose(game: string): void {
    this.#chosen = game;
  }

  /** Returns what a request says of them. */
  fieldsFor(game: Game) {
    const clock = clockSpec(this.clock);
    return {
      game: game.id,
      ...(game.options.length > 0 && { options: packTableOptions(game, this.options) }),
      ...(clock && { clock }),
      joinTimeoutS: this.joinTimeoutS,
      friendly: this.friendly,
    };
  }
}
