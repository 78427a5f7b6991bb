/** The settings of a new table: the originals, and those that a player has saved. */
import type { Game, Preset } from "@brettwerk/client/v1/games";
import { presets, readOptions, type OptionValue, type OptionValues } from "../../api/options";
import { isRecord } from "../settings_file";
import { NO_CLOCK, type ClockForm, type NumberField } from "./clock_form";
import { usualLevel, wishesFor, type Company, type Wish } from "./wishes";

export interface TableForm {
  /** The opponent that the player wants; absent when they have chosen seat by seat. */
  readonly company?: Company | undefined;
  readonly wishes: readonly Wish[];
  readonly options: OptionValues;
  readonly clock: ClockForm;
  readonly competitive: boolean;
  /** After how many actions spectators of a competitive table see one; 0 for at once. */
  readonly delay: number;
  readonly listed: boolean;
  /** Whether the settings are settled with the others before the start, where others are expected. */
  readonly settles: boolean;
  /** Whether others may take the seat of a player who is gone; undefined for what is usual. */
  readonly substitutes?: boolean | undefined;
  /** Whether only players who finish their games may sit down. */
  readonly reliable: boolean;
  /** The id of the preset that is begun with; empty for the standard start. */
  readonly start: string;
}

/** How much of their games players finish who are reliable, in percent. */
export const RELIABLE = 90;

/** After how many actions spectators may be let see one. */
export const DELAYS: readonly number[] = [0, 3, 6, 12, 30];

/** Returns the preset of an id; undefined for the standard start. */
export function presetOf(game: Game, id: string): Preset | undefined {
  return game.presets.find((each) => each.id === id);
}

/** Returns the preset that newcomers begin with, if the game has one. */
export function newcomersPreset(game: Game): Preset | undefined {
  return game.presets.find(({ forNewcomers }) => forNewcomers);
}

/** Returns the settings that a game begins with. */
export function originalForm(game: Game): TableForm {
  const start = newcomersPreset(game);
  return {
    company: "computer",
    wishes: wishesFor(game, game.minSeats, "computer"),
    options: start ? readOptions(game, start.options, game.minSeats) : presets(game, game.minSeats),
    clock: NO_CLOCK,
    competitive: false,
    delay: 0,
    listed: false,
    settles: false,
    substitutes: undefined,
    reliable: false,
    start: start?.id ?? "",
  };
}

/** Returns saved settings of a game, the originals of everything that is missing or does not fit the game any more. */
export function savedForm(game: Game, saved: unknown): TableForm {
  const original = originalForm(game);
  if (!isRecord(saved)) return original;
  const wishes = readWishes(game, saved["wishes"]) ?? original.wishes;
  const first = presets(game, wishes.length);
  const given = isRecord(saved["options"]) ? saved["options"] : {};
  return {
    company: (["computer", "friend", "here"] as const).find((each) => each === saved["company"]),
    wishes,
    options: Object.fromEntries(
      Object.entries(first).map(([key, preset]) => [key, isLike(given[key], preset) ? given[key] : preset]),
    ),
    clock: readClock(saved["clock"]),
    competitive: saved["competitive"] === true,
    delay: DELAYS.find((each) => each === saved["delay"]) ?? 0,
    listed: saved["listed"] === true,
    settles: saved["settles"] === true,
    substitutes: typeof saved["substitutes"] === "boolean" ? saved["substitutes"] : undefined,
    reliable: saved["reliable"] === true,
    start: game.presets.find(({ id }) => id === saved["start"])?.id ?? "",
  };
}

function readWishes(game: Game, value: unknown): Wish[] | undefined {
  if (!Array.isArray(value) || value.length < game.minSeats || value.length > game.seats.length) return undefined;
  return value.map((each: unknown): Wish => {
    const wish = isRecord(each) ? each : {};
    const depth = wish["depth"];
    return {
      who: (["me", "open"] as const).find((who) => who === wish["who"]) ?? "computer",
      level: game.levels.find(({ id }) => id === wish["level"])?.id ?? usualLevel(game.levels),
      depth: typeof depth === "number" && Number.isInteger(depth) && depth > 0 ? depth : 0,
    };
  });
}

function readClock(value: unknown): ClockForm {
  if (!isRecord(value)) return NO_CLOCK;
  const number = (key: NumberField): number => {
    const given = value[key];
    return typeof given === "number" && Number.isFinite(given) ? given : NO_CLOCK[key];
  };
  return {
    kind: (["turn", "days", "total", "bank"] as const).find((kind) => kind === value["kind"]) ?? "none",
    turnSeconds: number("turnSeconds"),
    turnMinutes: number("turnMinutes"),
    bankDays: number("bankDays"),
    bankHours: number("bankHours"),
    bankCapDays: number("bankCapDays"),
    vacationDays: number("vacationDays"),
    automaticVacation: value["automaticVacation"] !== false,
    claims: value["claims"] === true,
    restHours: value["restHours"] === true,
    totalMinutes: number("totalMinutes"),
    incrementSeconds: number("incrementSeconds"),
  };
}

function isLike(value: unknown, preset: OptionValue): value is OptionValue {
  if (!Array.isArray(preset)) return typeof value === typeof preset;
  return Array.isArray(value) && value.length === preset.length && value.every((each) => typeof each === "number");
}
