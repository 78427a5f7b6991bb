/** Lines of conditional moves: what is played one after another, each line from the position now on. */
import type { Any } from "@bufbuild/protobuf/wkt";

/** A move of a line. */
export interface Move {
  readonly seat: number;
  readonly action: Any;
  readonly notation: string;
  /** The seats that are to act after it; absent where that is not known. */
  readonly next?: readonly number[];
}

export type Line = readonly Move[];

/** Returns whether two moves are the same. */
export function isSame(one: Move | undefined, other: Move | undefined): boolean {
  if (one === undefined || other === undefined || one.seat !== other.seat) return false;
  if (one.action.typeUrl !== other.action.typeUrl || one.action.value.length !== other.action.value.length)
    return false;
  return one.action.value.every((byte, index) => byte === other.action.value[index]);
}

/** Returns whether a line begins with a path. */
export function beginsWith(line: Line, path: Line): boolean {
  return line.length >= path.length && path.every((move, index) => isSame(move, line[index]));
}

/** Returns the lines with a path among them: it goes on with a line that ended before its last move, or is one of its own. */
export function withPath(lines: readonly Line[], path: Line): readonly Line[] {
  if (path.length === 0 || lines.some((line) => beginsWith(line, path))) return lines;
  const before = path.slice(0, -1);
  const ended = lines.findIndex((line) => line.length === before.length && beginsWith(line, before));
  if (ended < 0) return [...lines, path];
  return lines.map((line, index) => (index === ended ? path : line));
}

/** Returns the lines after the last moves of a path were taken back: a line that ended there ends before them. */
export function withoutEnd(lines: readonly Line[], path: Line, count: number): readonly Line[] {
  const left = path.slice(0, -count);
  const isEnd = (line: Line): boolean => line.length === path.length && beginsWith(line, path);
  const others = lines.filter((line) => !isEnd(line));
  if (others.length === lines.length) return lines;
  if (left.length === 0 || others.some((line) => beginsWith(line, left))) return others;
  return lines.map((line) => (isEnd(line) ? left : line));
}

/** Returns what is left of lines, and of a path, once a move was played. */
export function played(lines: readonly Line[], isPlayed: (move: Move) => boolean): readonly Line[] {
  return lines.flatMap((line) => {
    const [first, ...rest] = line;
    return first !== undefined && rest.length > 0 && isPlayed(first) ? [rest] : [];
  });
}

/** Returns how much of a line can be kept: up to the last move with which a seat's turn is over, which begins after another's. */
export function keepable(line: Line, seat: number): number {
  if (line[0]?.seat === seat) return 0;
  for (let count = line.length; count > 1; count--) {
    const move = line[count - 1];
    if (move?.seat !== seat) continue;
    const goesOn = count < line.length ? line[count]?.seat === seat : (move.next?.includes(seat) ?? false);
    if (!goesOn) return count;
  }
  return 0;
}

/** Returns the parts of lines that can be kept, without those that another one begins with. */
export function kept(lines: readonly Line[], seat: number): readonly Line[] {
  const parts = lines.map((line) => line.slice(0, keepable(line, seat))).filter((line) => line.length > 0);
  return parts.filter(
    (line, index) =>
      !parts.some((other, at) => at !== index && beginsWith(other, line) && (other.length > line.length || at < index)),
  );
}

/** Returns a line in turns: moves of one seat after another. */
export function turnsOf(line: Line): { seat: number; from: number; moves: Line }[] {
  const turns: { seat: number; from: number; moves: Move[] }[] = [];
  for (const [index, move] of line.entries()) {
    const last = turns.at(-1);
    if (last?.seat === move.seat) last.moves.push(move);
    else turns.push({ seat: move.seat, from: index, moves: [move] });
  }
  return turns;
}
