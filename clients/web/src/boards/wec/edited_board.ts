/** A start position that is being edited: plain values, changed by pure functions (WEC-EDIT). */
import type { WecPosition, WecView } from "@brettwerk/client/v1/wec";
import { levelOf, squareOf, SQUARES } from "./squares";

/** The full name of the message that a edited becomes. */
export const POSITION_TYPE = "brettwerk.v1.WecPosition";

interface EditedPiece {
  readonly seat: number;
  readonly kind: number;
  readonly place: number;
  readonly hand: number;
  readonly articles: readonly number[];
  /** For how many own Turns it is stunned. */
  readonly stun: number;
  /** Whether a Pawn is on its origin square. */
  readonly origin: boolean;
}
interface EditedArticle {
  readonly square: number;
  readonly kind: number;
}
interface EditedShot {
  readonly weapon: number;
  readonly seat: number;
  readonly square: number;
  readonly heading: number;
  readonly strength: number;
}
interface EditedReserve {
  readonly seat: number;
  readonly square: number;
  readonly kind: number;
  readonly hand: number;
}
export interface EditedBoard {
  /** The side that begins: 0 Black, 1 White. */
  readonly first: number;
  readonly pieces: readonly EditedPiece[];
  readonly articles: readonly EditedArticle[];
  readonly shots: readonly EditedShot[];
  readonly reserves: readonly EditedReserve[];
}

export const EMPTY: EditedBoard = { first: 0, pieces: [], articles: [], shots: [], reserves: [] };

/** Returns what of a position, or of a view of one, an editor can hold: nothing in transit, nothing homing (WEC-EDIT-3). */
export function editedBoardOf(shown: WecPosition | WecView): EditedBoard {
  const first = shown.active;
  return {
    first,
    pieces: shown.pieces.map((piece) => ({
      seat: piece.seat,
      kind: piece.kind,
      place: piece.transit === undefined ? piece.place : squareOf(piece.place),
      hand: piece.hand,
      articles: piece.articles.map((article) => article.kind),
      stun: piece.turnsStunned,
      origin: piece.origin,
    })),
    articles: shown.ground.flatMap(({ square, articles }) => articles.map(({ kind }) => ({ square, kind }))),
    shots: shown.projectiles.map(({ weapon, seat, square, heading, strength }) => ({
      weapon,
      seat,
      square,
      heading,
      strength,
    })),
    reserves: shown.reserves
      .filter((reserve) => (reserve.kind as number) > 0)
      .map(({ seat, square, kind, hand }) => ({ seat, square, kind, hand })),
  };
}

/** Returns the fields of the message that a edited becomes; ids follow the order of the edited. */
export function fieldsOf(edited: EditedBoard): object {
  const ply = edited.first + 1;
  const count = [0, 1000];
  const id = (seat: number): number => {
    count[seat] = (count[seat] ?? 0) + 1;
    return count[seat] ?? 0;
  };
  const ground = Array.from({ length: SQUARES }, (_, square) => ({
    square,
    articles: edited.articles.filter((article) => article.square === square).map(({ kind }) => ({ kind })),
  }));
  return {
    ply,
    active: edited.first,
    pieces: edited.pieces
      .map(({ seat, kind, place, hand, articles, stun, origin }) => ({
        id: id(seat),
        seat,
        kind,
        place,
        hand,
        articles: articles.map((article) => ({ kind: article })),
        turnsStunned: stun,
        origin,
      }))
      .sort((one, other) => one.id - other.id),
    ground: ground.filter(({ articles }) => articles.length > 0),
    projectiles: edited.shots.map((shot, index) => ({ ...shot, number: index + 1 })),
    reserves: edited.reserves.map((reserve) => ({ ...reserve, id: id(reserve.seat) })),
    firstLine: ply,
    edited: true,
  };
}

/** Returns a edited without the last thing that was put on a square. */
export function withoutLast(edited: EditedBoard, square: number): EditedBoard {
  const drop = <Thing>(list: readonly Thing[], at: (thing: Thing) => number): readonly Thing[] | undefined => {
    const index = list.findLastIndex((thing) => at(thing) === square);
    return index < 0 ? undefined : list.filter((_, other) => other !== index);
  };
  const shots = drop(edited.shots, (shot) => shot.square);
  if (shots) return { ...edited, shots };
  const pieces = drop(edited.pieces, (piece) => squareOf(piece.place));
  if (pieces) return { ...edited, pieces };
  const articles = drop(edited.articles, (article) => article.square);
  if (articles) return { ...edited, articles };
  const reserves = drop(edited.reserves, (reserve) => reserve.square);
  return reserves ? { ...edited, reserves } : edited;
}

/** Returns a edited in which everything of a square stands on another one, each piece on the level it had. */
export function moved(edited: EditedBoard, from: number, to: number): EditedBoard {
  const shift = <Thing extends { readonly square: number }>(list: readonly Thing[]): readonly Thing[] =>
    list.map((thing) => (thing.square === from ? { ...thing, square: to } : thing));
  return {
    ...edited,
    pieces: edited.pieces.map((piece) =>
      squareOf(piece.place) === from ? { ...piece, place: levelOf(piece.place) * SQUARES + to, origin: false } : piece,
    ),
    articles: shift(edited.articles),
    shots: shift(edited.shots),
  };
}
