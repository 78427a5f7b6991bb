/** The contents of a view, made so that only what has changed since the view before is drawn again. */
import type { WecView } from "@brettwerk/client/v1/wec";
import { stableList } from "./stable_values";
import { stringsOf } from "./lines";
import { stacksOf, type Stack } from "./stacks";
import { strikesOf, type Strike } from "./strikes";

/** To be made where a component begins. */
export class ViewModel {
  readonly #view: () => WecView;
  #stacks: readonly Stack[] = [];
  #strikes: readonly Strike[] = [];

  constructor(view: () => WecView) {
    this.#view = view;
  }

  /** The contents of each square. */
  readonly stacks = $derived.by(() => (this.#stacks = stacksOf(this.#view(), this.#stacks)));
  /** The places of the pieces by id. */
  readonly places = $derived.by(() => new Map(this.#view().pieces.map((piece) => [piece.id, piece.place])));
  /** The strings of this Turn so far, or of the Turn before it. */
  readonly strings = $derived.by(() => stringsOf(this.#view()));
  /** The squares that the shots of that Turn swept. */
  readonly strikes = $derived.by(
    () => (this.#strikes = stableList(this.#strikes, strikesOf(this.#view(), this.strings))),
  );
}
