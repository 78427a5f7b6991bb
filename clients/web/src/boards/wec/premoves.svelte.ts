/** The choices before one's turn: where each own piece could go if its side were to act, as the server works it out. */
import type { Reach } from "@brettwerk/client/v1/games";
import type { WecAction, WecView } from "@brettwerk/client/v1/wec";
import type { Choice, Say } from "../board";
import { lookOf } from "./kinds";
import type { Line } from "./lines";
import { nameOf, placeName, squareOf } from "./squares";

const NONE: readonly Choice[] = [];

/** Returns the Moves of the own pieces, alone, as choices; whether one is legal then is known when the turn comes. */
export function premovesOf(view: WecView, reaches: readonly Reach[], say: Say): Choice[] {
  const own = new Map(view.pieces.filter((piece) => piece.seat === view.eye).map((piece) => [piece.id, piece]));
  return reaches.flatMap(({ piece: id, alone }) => {
    const piece = own.get(id);
    if (piece === undefined) return [];
    const who = say(`kind.${lookOf(piece.kind).key}`);
    return alone.map((place) => ({
      key: -1,
      places: [nameOf(squareOf(piece.place)), nameOf(squareOf(place))],
      notation: `${placeName(piece.place)}->${placeName(place)}`,
      label: `${who} ${placeName(piece.place)} → ${placeName(place)}`,
      action: { kind: { case: "move", value: { piece: id, place, carry: false } } },
    }));
  });
}

/** Returns the line of a Move that is chosen, given as the fields of an action; none where the piece is not in sight. */
export function lineOf(chosen: object | undefined, places: ReadonlyMap<number, number>): Line[] {
  const kind = (chosen as WecAction | undefined)?.kind;
  const from = kind?.case === "move" ? places.get(kind.value.piece) : undefined;
  if (kind?.case !== "move" || from === undefined) return [];
  return [{ from: squareOf(from), to: squareOf(kind.value.place), look: "before" }];
}

interface Query {
  readonly view: WecView;
  /** Whether something can be chosen before the turn now. */
  readonly open: boolean;
  /** Whether the player has shown that they want to. */
  readonly wanted: boolean;
  readonly ask: (() => Promise<readonly Reach[]>) | undefined;
  /** Called when it is known what can be chosen. */
  readonly arrived: () => void;
  readonly say: Say;
}

/** The choices before the turn; asked for once the player begins to choose. To be made where a component begins. */
export class Premoves {
  #answer = $state.raw<{ view?: WecView; list: readonly Choice[] }>({ list: NONE });
  readonly #asked: () => Query;

  constructor(asked: () => Query) {
    this.#asked = asked;
    $effect(() => {
      const { view, open, wanted, ask, arrived, say } = asked();
      if (!open || !wanted || ask === undefined || this.#answer.view === view) return;
      let current = true;
      void ask().then((reaches) => {
        if (!current) return;
        this.#answer = { view, list: premovesOf(view, reaches, say) };
        arrived();
      });
      return () => (current = false);
    });
  }

  readonly choices = $derived.by(() => {
    const { view, open } = this.#asked();
    return open && this.#answer.view === view ? this.#answer.list : NONE;
  });
}
