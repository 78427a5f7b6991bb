/** Which way Panzers face: the way they last moved, as far as that was told (WEC-MOVE-PANZER-5). */
import type { WecPiece, WecView } from "@brettwerk/client/v1/wec";
import { lookOf } from "./kinds";
import { drawnAt, squareOf } from "./squares";
import { moverIn, wayIn } from "./turn_strings";

const PANZER = "kind.panzer";
const HALF = 180;

/** Returns what tells the way a piece faces on the screen, in degrees clockwise from up: forward before it has moved. */
export function facingIn(view: WecView, turned: boolean): (piece: WecPiece) => number {
  const came = new Map<number, number>();
  for (const line of [...view.history, ...(view.turn?.items ?? []).map(({ text }) => text)]) {
    const way = moverIn(line) === PANZER ? wayIn(line) : undefined;
    if (way === undefined || way.from === way.came) continue;
    came.delete(way.from);
    came.set(way.came, way.from);
  }
  return (piece) => {
    const square = squareOf(piece.place);
    const from = came.get(square);
    // Black looks at row 10, White at row 1; the screen begins with row 10 unless it is turned.
    if (from === undefined) return (piece.seat === 0) === turned ? HALF : 0;
    const [a, b] = [drawnAt(from, turned), drawnAt(square, turned)];
    return Math.round((Math.atan2(b.column - a.column, a.row - b.row) * HALF) / Math.PI);
  };
}

/** Returns the way that each piece faces which is drawn from above, by its id. */
export function waysIn(view: WecView, turned: boolean): Readonly<Record<number, number>> {
  const way = facingIn(view, turned);
  return Object.fromEntries(
    view.pieces.filter(({ kind }) => lookOf(kind).turns === true).map((piece) => [piece.id, way(piece)]),
  );
}
