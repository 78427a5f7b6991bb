/** A start position that is being edited: plain values, changed by pure functions (WEC-EDIT). */
import type { WecPosition, WecView } from "../../api/generated/brettwerk/v1/wec_pb";
import { levelOf, squareOf, SQUARES } from "./squares";

/** The full name of the message that a draft becomes. */
export const POSITION_TYPE = "brettwerk.v1.WecPosition";

export interface DraftPiece {
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
export interface DraftArticle {
  readonly square: number;
  readonly kind: number;
}
export interface DraftShot {
  readonly weapon: number;
  readonly seat: number;
  readonly square: number;
  readonly heading: number;
  readonly strength: number;
}
export interface DraftReserve {
  readonly seat: number;
  readonly square: number;
  readonly kind: number;
  readonly hand: number;
}
export interface Draft {
  /** Who begins: 0 Black, 1 White. */
  readonly first: number;
  readonly pieces: readonly DraftPiece[];
  readonly articles: readonly DraftArticle[];
  readonly shots: readonly DraftShot[];
  readonly reserves: readonly DraftReserve[];
}

export const EMPTY: Draft = { first: 0, pieces: [], articles: [], shots: [], reserves: [] };

/** Returns what of a position, or of a view of one, an editor can hold: nothing in transit, nothing homing (WEC-EDIT-3). */
export function draftOf(shown: WecPosition | WecView): Draft {
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

/** Returns the fields of the message that a draft becomes; ids follow the order of the draft. */
export function fieldsOf(draft: Draft): object {
  const ply = draft.first + 1;
  const count = [0, 1000];
  const id = (seat: number): number => {
    count[seat] = (count[seat] ?? 0) + 1;
    return count[seat] ?? 0;
  };
  const ground = Array.from({ length: SQUARES }, (_, square) => ({
    square,
    articles: draft.articles.filter((article) => article.square === square).map(({ kind }) => ({ kind })),
  }));
  return {
    ply,
    active: draft.first,
    pieces: draft.pieces
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
    projectiles: draft.shots.map((shot, index) => ({ ...shot, number: index + 1 })),
    reserves: draft.reserves.map((reserve) => ({ ...reserve, id: id(reserve.seat) })),
    firstLine: ply,
    edited: true,
  };
}

/** Returns a draft without the last thing that was put on a square. */
export function withoutLast(draft: Draft, square: number): Draft {
  const drop = <Thing>(list: readonly Thing[], at: (thing: Thing) => number): readonly Thing[] | undefined => {
    const index = list.findLastIndex((thing) => at(thing) === square);
    return index < 0 ? undefined : list.filter((_, other) => other !== index);
  };
  const shots = drop(draft.shots, (shot) => shot.square);
  if (shots) return { ...draft, shots };
  const pieces = drop(draft.pieces, (piece) => squareOf(piece.place));
  if (pieces) return { ...draft, pieces };
  const articles = drop(draft.articles, (article) => article.square);
  if (articles) return { ...draft, articles };
  const reserves = drop(draft.reserves, (reserve) => reserve.square);
  return reserves ? { ...draft, reserves } : draft;
}

/** Returns a draft in which everything of a square stands on another one, each piece on the level it had. */
export function moved(draft: Draft, from: number, to: number): Draft {
  const shift = <Thing extends { readonly square: number }>(list: readonly Thing[]): readonly Thing[] =>
    list.map((thing) => (thing.square === from ? { ...thing, square: to } : thing));
  return {
    ...draft,
    pieces: draft.pieces.map((piece) =>
      squareOf(piece.place) === from ? { ...piece, place: levelOf(piece.place) * SQUARES + to, origin: false } : piece,
    ),
    articles: shift(draft.articles),
    shots: shift(draft.shots),
  };
}
