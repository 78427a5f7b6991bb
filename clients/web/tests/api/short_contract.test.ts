/** The contract as the built page describes it: the same messages, without what only other languages need. */
import { fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withoutOptions } from "../../tools/short-contract";

test("a description without options has everything else", () => {
  const bots = "../../../typescript/src/generated/brettwerk/v1/bots_pb.ts";
  const code = readFileSync(new URL(bots, import.meta.url), "utf8");
  const data = Buffer.from(/fileDesc\("([^"]+)"/.exec(code)?.[1] ?? "", "base64");
  const [whole, short] = [data, withoutOptions(data)].map((each) => fromBinary(FileDescriptorProtoSchema, each));
  expect(whole?.options?.csharpNamespace).toBe("Brettwerk.V1");
  expect(short?.options).toBeUndefined();
  expect({ ...short, options: undefined }).toEqual({ ...whole, options: undefined });
  expect(short?.messageType.length).toBeGreaterThan(10);
});
