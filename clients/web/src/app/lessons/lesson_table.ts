/** The tables that lessons are played at, and the game that comes after them. */
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { anyPack, type Any } from "@bufbuild/protobuf/wkt";
import type { Game } from "@brettwerk/client/v1/games";
import { packOptions } from "../../api/options";
import { loadTypes, messageType } from "../../api/registry";
import type { Course, Lesson } from "../../boards/lessons";
import { originalForm, presetOf } from "../lobby/table_form";
import { seatWish } from "../lobby/wishes";
import { newSeedContribution } from "../seed_contribution";
import { becomePlayer, server } from "../server.svelte";

/** Returns the level that newcomers play against: the one called easy, or the first. */
function easyLevel(game: Game): string {
  return (game.levels.find(({ id }) => id === "easy") ?? game.levels[0])?.id ?? "";
}

/** Returns a message of JSON in its envelope. Raises an Error for a type that this page does not know. */
function envelope(name: string, json: object): Any {
  const type = messageType(name);
  if (type === undefined) throw new Error(`there is no message type ${name}`);
  return anyPack(type, fromJson(type, json as JsonObject));
}

/** Creates a table with a lesson's position, and returns its id. Raises Refused. */
export async function beginLesson(game: Game, course: Course, lesson: Lesson): Promise<string> {
  await loadTypes(game.id);
  await becomePlayer();
  const level = game.levels[0]?.id ?? "";
  const { session } = await server.call("createSession", {
    game: game.id,
    ...(lesson.options && { options: envelope(game.optionsType, lesson.options) }),
    practice: true,
    startPosition: envelope(game.optionsType.replace(/Options$/, "Position"), lesson.start),
    seats: Array.from({ length: course.seats }, (_, seat) =>
      seatWish(game, { who: seat === course.seat ? "me" : "computer", level, depth: 0 }, newSeedContribution()),
    ),
  });
  return session?.id ?? "";
}

/** Ends the table of a lesson; nothing is said where that fails, since it ends by itself in time. */
export function endLesson(session: string): void {
  const [seatToken = ""] = server.wallet.seats(session).values();
  server.call("closeSession", { sessionId: session, seatToken }).catch(() => undefined);
}

/** Creates a whole game against the easy computer, and returns the table's id. Raises Refused. */
export async function beginGame(game: Game): Promise<string> {
  await loadTypes(game.id);
  await becomePlayer();
  const { wishes, options, start } = originalForm(game);
  const startPosition = presetOf(game, start)?.startPosition;
  const { session } = await server.call("createSession", {
    game: game.id,
    options: packOptions(game, options),
    ...(startPosition && { startPosition }),
    seats: wishes.map((wish) => seatWish(game, { ...wish, level: easyLevel(game) }, newSeedContribution())),
  });
  return session?.id ?? "";
}
