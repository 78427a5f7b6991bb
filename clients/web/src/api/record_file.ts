/** Saved games as files: the JSON form of a record, or the text of a game, which the server reads. */
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { Reason } from "@brettwerk/client/v1/errors";
import { RecordSchema, type Record } from "@brettwerk/client/v1/record";
import { ownRefusal } from "@brettwerk/client/wire";
import { registry } from "./registry";

const MAX_BYTES = 8_000_000;
const MAX_TEXT_BYTES = 240_000;

/** Asks the server for the record that a text amounts to. */
type ReadText = (text: string) => Promise<Record | undefined>;

/** Returns the record in a file. Raises a refusal: RECORD_DAMAGED for what is none, NEWER, and what the server refuses in a text. */
export async function readRecord(file: File, readText: ReadText): Promise<Record> {
  if (file.size > MAX_BYTES) throw ownRefusal(Reason.RECORD_DAMAGED, "");
  const text = await file.text();
  if (isText(text)) {
    const record = file.size > MAX_TEXT_BYTES ? undefined : await readText(text);
    if (record === undefined) throw ownRefusal(Reason.RECORD_DAMAGED, "");
    return record;
  }
  // A record may be of any game.
  await import("./game_types");
  try {
    return fromJson(RecordSchema, JSON.parse(text) as JsonValue, { registry });
  } catch {
    throw ownRefusal(isNewer(text) ? Reason.NEWER : Reason.RECORD_DAMAGED, "");
  }
}

/** Returns whether a text is a record but for fields that are not known here: a newer release has written them. */
function isNewer(text: string): boolean {
  try {
    return fromJson(RecordSchema, JSON.parse(text) as JsonValue, { registry, ignoreUnknownFields: true }).format > 0;
  } catch {
    return false;
  }
}

/** Returns the game that the text of a game names; empty where it names none. */
export function gameOf(text: string): string {
  return /^\[Game "(\w+)"\]/m.exec(text)?.[1] ?? "";
}

/** Texts begin with a tag of the heading, a comment or a line of play, and never with the brace of JSON. */
function isText(text: string): boolean {
  return /^\uFEFF?\s*(\[\w+ "|;|[\w(-])/.test(text);
}
