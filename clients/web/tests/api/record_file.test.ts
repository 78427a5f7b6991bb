import { create, toJsonString } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { Reason } from "@brettwerk/client/v1/errors";
import { RecordSchema } from "@brettwerk/client/v1/record";
import { readRecord } from "../../src/api/record_file";
import { messageType } from "../../src/api/registry";

const file = (text: string): File => new File([text], "game.json");
const unread = (): Promise<never> => Promise.reject(new Error("no text was to be read"));

test("a record in JSON is read with the types of its game, which come for it", async () => {
  expect(messageType("brettwerk.v1.PlateauOptions")).toBeUndefined();
  const created = { options: { "@type": "type.googleapis.com/brettwerk.v1.PlateauOptions" } };
  const record = await readRecord(file(JSON.stringify({ entries: [{ created }] })), unread);
  expect(record.entries[0]?.change).toMatchObject({
    case: "created",
    value: { options: { typeUrl: created.options["@type"] } },
  });
});

test("a record without options is read whatever its game is called", async () => {
  const record = create(RecordSchema, { game: "connect_four" });
  expect(await readRecord(file(toJsonString(RecordSchema, record)), unread)).toEqual(record);
});

test("a record with fields of a newer release is refused as newer", async () => {
  const text = '{"format": 1, "game": "einstein", "entries": [{"version": "1", "foretold": {}}]}';
  await expect(readRecord(file(text), unread)).rejects.toMatchObject({ refusal: { reason: Reason.NEWER } });
});

test.each([
  "{",
  "{}}",
  '{"gem": "einstein"}',
  '{"game": 3}',
  '{"entries": [{"created": {"options": {"@type": "type.googleapis.com/brettwerk.v1.Nothing"}}}]}',
])("what is no record is refused as damaged: %s", async (text) => {
  await expect(readRecord(file(text), unread)).rejects.toMatchObject({ refusal: { reason: Reason.RECORD_DAMAGED } });
});
