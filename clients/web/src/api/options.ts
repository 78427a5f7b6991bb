/** The options of a game as plain values, put into and taken out of its options message by what the contract says of it. */
import { create, ScalarType, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { AnySchema, anyPack, anyUnpack, type Any } from "@bufbuild/protobuf/wkt";
import type { Game, OptionSpec } from "@brettwerk/client/v1/games";
import { messageType, registry } from "./registry";

/** A switch, a number (or an enum's number), a line, or a number for each seat. */
export type OptionValue = boolean | number | string | readonly number[];
export type OptionValues = Readonly<Record<string, OptionValue>>;

function fieldOf(type: DescMessage | undefined, spec: OptionSpec): DescField | undefined {
  return type?.fields.find((field) => field.name === spec.key);
}

/** Returns what the options are at first, for a number of seats. */
export function presets(game: Game, seats: number): OptionValues {
  const type = messageType(game.optionsType);
  return Object.fromEntries(game.options.map((spec) => [spec.key, preset(spec, fieldOf(type, spec), seats)]));
}

function preset(spec: OptionSpec, field: DescField | undefined, seats: number): OptionValue {
  const { values } = spec;
  switch (values.case) {
    case "switch":
    case "choice":
    case "line":
      return values.value.preset;
    case "number": {
      const number = Number(values.value.preset);
      return field?.fieldKind === "list" ? Array<number>(seats).fill(number) : number;
    }
    default:
      return false;
  }
}

/** Returns the options message with `values`; an empty one, so that everything has its default, before its type is known. */
export function packOptions(game: Game, values: OptionValues): Any {
  const type = messageType(game.optionsType);
  if (type === undefined) return create(AnySchema, { typeUrl: `type.googleapis.com/${game.optionsType}` });
  const message = reflect(type);
  for (const spec of game.options) {
    const field = fieldOf(type, spec);
    const value = values[spec.key];
    if (field !== undefined && value !== undefined) put(message, field, value);
  }
  return anyPack(type, message.message);
}

/** Returns the options that are chosen for a table: without those that follow from whether it is competitive. */
export function chosenOptions(game: Game): OptionSpec[] {
  return game.options.filter((spec) => spec.competitiveValue === undefined);
}

/** Returns the options message of a table that is to begin with `values`: the server adds what follows from its being competitive. */
export function packTableOptions(game: Game, values: OptionValues): Any {
  const chosen = chosenOptions(game).map(({ key }) => [key, values[key]] as const);
  return packOptions(
    game,
    Object.fromEntries(chosen.filter((each): each is [string, OptionValue] => each[1] !== undefined)),
  );
}

/**
 * Returns options that a session had for a competitive one that begins now: without what follows from its being competitive.
 *
 * Sessions of earlier releases have other values there, which a new one is refused for.
 */
export function withoutCompetitive(game: Game, any: Any): Any {
  const type = messageType(game.optionsType);
  const inside = anyUnpack(any, registry);
  if (type === undefined || inside?.$typeName !== type.typeName) return any;
  const message = reflect(type, inside);
  for (const spec of game.options) {
    const field = spec.competitiveValue === undefined ? undefined : fieldOf(type, spec);
    if (field !== undefined) message.clear(field);
  }
  return anyPack(type, message.message);
}

/** Returns the values of an options message; what it does not say has its default. */
export function readOptions(game: Game, any: Any | undefined, seats: number): OptionValues {
  const type = messageType(game.optionsType);
  const inside = any === undefined ? undefined : anyUnpack(any, registry);
  if (type === undefined || inside?.$typeName !== type.typeName) return presets(game, seats);
  const message = reflect(type, inside);
  const values: Record<string, OptionValue> = { ...presets(game, seats) };
  for (const spec of game.options) {
    const field = fieldOf(type, spec);
    const value = field === undefined ? undefined : take(message, field);
    if (value !== undefined) values[spec.key] = value;
  }
  return values;
}

const WIDE: ReadonlySet<ScalarType> = new Set([
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.SINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
]);

function put(message: ReflectMessage, field: DescField, value: OptionValue): void {
  if (field.fieldKind === "scalar") {
    message.set(field, WIDE.has(field.scalar) && typeof value === "number" ? BigInt(value) : (value as string));
  } else if (field.fieldKind === "enum") {
    message.set(field, value);
  } else if (field.fieldKind === "list" && Array.isArray(value)) {
    const wide = field.listKind === "scalar" && WIDE.has(field.scalar);
    const list = message.get(field);
    for (const each of value as number[]) list.add(wide ? BigInt(each) : each);
  }
}

function take(message: ReflectMessage, field: DescField): OptionValue | undefined {
  if (field.fieldKind === "scalar") {
    const value = message.get(field);
    return typeof value === "bigint" ? Number(value) : (value as OptionValue);
  }
  // An enum that is not set means its first choice, which is what the preset says.
  if (field.fieldKind === "enum") return message.get(field) || undefined;
  if (field.fieldKind === "list") return [...message.get(field)].map(Number);
  return undefined;
}
