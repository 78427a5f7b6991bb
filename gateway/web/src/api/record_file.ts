/** Saved games as files: the JSON form of a record. */
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { Reason } from "./generated/brettwerk/v1/errors_pb";
import { RecordSchema, type Record } from "./generated/brettwerk/v1/record_pb";
import { ownRefusal } from "./refused";
import { registry } from "./registry";

const MOST_BYTES = 8_000_000;

/** Returns the record in a file. Raises a refusal (RECORD_DAMAGED) for what is none. */
export async function readRecord(file: File): Promise<Record> {
  if (file.size > MOST_BYTES) throw ownRefusal(Reason.RECORD_DAMAGED, "");
  const text = await file.text();
  try {
    return fromJson(RecordSchema, JSON.parse(text) as JsonValue, { registry });
  } catch {
    throw ownRefusal(Reason.RECORD_DAMAGED, "");
  }
}
