/** A player's settings, as they are kept on the device and written to a file. */
import type { BoardSettings } from "../boards/board";
import { SETS, USUAL, type SetName } from "../boards/sets";
import { LANGUAGES, type Language } from "./text/languages";

export type Theme = "system" | "light" | "dark";

/** The hours in which a player rests, in minutes after midnight; the same minute twice for no nights. */
export interface Rest {
  readonly nightFrom: number;
  readonly nightUntil: number;
  readonly weekends: boolean;
}

export interface Kept {
  readonly language: Language;
  readonly theme: Theme;
  readonly name: string;
  /** The game that the lobby shows. */
  readonly game: string;
  readonly autoplay: boolean;
  /** Whether the player is asked before a move is played. */
  readonly confirm: boolean;
  readonly plain: boolean;
  /** Whether the player can choose a move before it is their turn. */
  readonly premove: boolean;
  /** How boards and pieces are drawn. */
  readonly set: SetName;
  /** The same for single games that the player wants otherwise. */
  readonly sets: Readonly<Record<string, SetName>>;
  /** Earlier versions kept "table" for everybody who had chosen nothing. */
  readonly roll: BoardSettings["roll"];
  readonly sound: boolean;
  /** 0 to 100. */
  readonly volume: number;
  /** Whether this browser notifies the player of what happens while they look elsewhere. */
  readonly notify: boolean;
  /** Whether others see the player's name among those who watch a table. */
  readonly showName: boolean;
  /** Whether what is said at tables is shown. */
  readonly talk: boolean;
  /** The player's rest hours in slow games; absent for nobody's choice. */
  readonly rest?: Rest | undefined;
  /** The games whose tour is done. */
  readonly tours: readonly string[];
  /** The settings of new tables by game; what they hold is read where it is used. */
  readonly tables: Readonly<Record<string, unknown>>;
  /** The player's names for the seats, by game and in their order; those of seats without one are empty. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** The boards' own data by game; what they hold is read where it is used. */
  readonly boards: Readonly<Record<string, unknown>>;
}

const MAX_GAMES = 100;
const MAX_ID = 32;
const MAX_SEATS = 6;
/** The most characters of a seat's name (EMP-PLAYER-4). */
export const MAX_NAME = 12;

/** Returns what `value` holds, the original of everything that it lacks or that cannot be right. */
export function readKept(value: unknown, language: Language): Kept {
  const given = isRecord(value) ? value : {};
  const choose = <Value extends string>(key: string, values: readonly Value[], otherwise: Value): Value =>
    values.find((each) => each === given[key]) ?? otherwise;
  const line = (key: string, most: number): string => {
    const text = given[key];
    return typeof text === "string" ? text.slice(0, most) : "";
  };
  const { volume, tours, tables, boards, names } = given;
  return {
    language: choose("language", [...LANGUAGES.keys()], language),
    theme: choose("theme", ["system", "light", "dark"], "system"),
    name: line("name", 40),
    game: line("game", MAX_ID),
    autoplay: given["autoplay"] !== false,
    confirm: given["confirm"] === true,
    plain: given["plain"] === true,
    premove: given["premove"] !== false,
    set: choose("set", SETS, "studio"),
    sets: given["sets"] === undefined ? USUAL : readSets(given["sets"]),
    roll: choose("roll", ["agreed", "always", "never"], "always"),
    sound: given["sound"] !== false,
    volume: typeof volume === "number" && volume >= 0 && volume <= 100 ? volume : 50,
    notify: given["notify"] === true,
    showName: given["showName"] !== false,
    talk: given["talk"] === true,
    rest: readRest(given["rest"]),
    tours: Array.isArray(tours) ? tours.filter((each): each is string => isId(each)).slice(0, MAX_GAMES) : [],
    tables: readGames(tables),
    boards: readGames(boards),
    names: Object.fromEntries(Object.entries(readGames(names)).map(([game, given]) => [game, readNames(given)])),
  };
}

function readRest(value: unknown): Rest | undefined {
  if (!isRecord(value)) return undefined;
  const { nightFrom, nightUntil, weekends } = value;
  const isMinute = (minute: unknown): minute is number =>
    typeof minute === "number" && Number.isInteger(minute) && minute >= 0 && minute < 1440;
  if (!isMinute(nightFrom) || !isMinute(nightUntil)) return undefined;
  return { nightFrom, nightUntil, weekends: weekends === true };
}

function readSets(value: unknown): Readonly<Record<string, SetName>> {
  return Object.fromEntries(
    Object.entries(readGames(value)).flatMap(([game, given]) => {
      const set = SETS.find((each) => each === given);
      return set === undefined ? [] : [[game, set]];
    }),
  );
}

function readNames(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_SEATS).map((name: unknown) => (typeof name === "string" ? name.slice(0, MAX_NAME) : ""));
}

function readGames(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value)
      .filter(([id]) => isId(id))
      .slice(0, MAX_GAMES),
  );
}

/** Whether a value is an object with keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isId(value: unknown): boolean {
  return typeof value === "string" && value.length <= MAX_ID;
}
