/** The contract as a built page has it: every type as the generated code has it, in a text that is much shorter. */
import { create, toBinary, type DescField, type DescFile } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FieldDescriptorProto_Type, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contractFile } from "../../src/api/contract_text";
import { shortForm } from "../../tools/short-contract";

const folder = "../../../typescript/src/generated/brettwerk/v1";
const modules = import.meta.glob<Readonly<Record<string, DescFile>>>("./*_pb.ts", {
  base: "../../../typescript/src/generated/brettwerk/v1",
  eager: true,
});

function descriptionIn(name: string): Uint8Array {
  const code = readFileSync(new URL(`${folder}/${name}_pb.ts`, import.meta.url), "utf8");
  return Buffer.from(/fileDesc\("([^"]+)"/.exec(code)?.[1] ?? "", "base64");
}

function fileOf(name: string): DescFile {
  const file = modules[`./${name}_pb.ts`]?.[`file_brettwerk_v1_${name}`];
  if (file === undefined) throw new Error(`there is no file ${name}`);
  return file;
}

const NAMES = ["name", "localName", "jsonName", "number"];
const KINDS = [
  "fieldKind",
  "scalar",
  "listKind",
  "mapKind",
  "mapKey",
  "presence",
  "packed",
  "delimitedEncoding",
  "utf8Validation",
];

function saidOfField(field: DescField): object {
  const types = [field.message?.typeName, field.enum?.typeName, field.oneof?.localName];
  const plain = Object.entries(field).filter(([key]) => [...NAMES, ...KINDS].includes(key));
  return { types, ...Object.fromEntries(plain) };
}

/** Returns all that a page reads of a file, in its order. */
function saidOf(file: DescFile): unknown[] {
  return [...nestedTypes(file)].map((type) => {
    const found = { kind: type.kind, name: type.typeName };
    if (type.kind === "message") return { ...found, fields: type.fields.map(saidOfField) };
    if (type.kind === "enum") return { ...found, values: type.values.map((each) => [each.localName, each.number]) };
    if (type.kind !== "service") return found;
    const methods = type.methods.map((each) => [
      each.localName,
      each.methodKind,
      each.input.typeName,
      each.output.typeName,
    ]);
    return { ...found, methods };
  });
}

test("every file of the contract is the same in its short form, and all of them are half as long", () => {
  const names = Object.keys(modules).map((path) => path.slice(2, -"_pb.ts".length));
  expect(names).toContain("play");
  let [long, short] = [0, 0];
  for (const name of names) {
    const file = fileOf(name);
    const description = descriptionIn(name);
    const text = shortForm(description);
    const read = contractFile(text, file.dependencies);
    expect(saidOf(read), name).toEqual(saidOf(file));
    expect([read.proto.name, read.edition, read.messages.length, read.enums.length]).toEqual([
      file.proto.name,
      file.edition,
      file.messages.length,
      file.enums.length,
    ]);
    [long, short] = [long + description.length, short + text.length];
  }
  expect(short).toBeLessThan(long * 0.45);
});

test("a description that the short form has no way to say is refused", () => {
  const file = (field: object): Uint8Array =>
    toBinary(
      FileDescriptorProtoSchema,
      create(FileDescriptorProtoSchema, {
        name: "odd.proto",
        package: "odd",
        syntax: "proto3",
        messageType: [
          { name: "Odd", field: [{ name: "odd", number: 1, type: FieldDescriptorProto_Type.INT32, ...field }] },
        ],
      }),
    );
  expect(shortForm(file({}))).toBe("odd.proto odd\nOdd odd-");
  expect(() => shortForm(file({ options: { packed: false } }))).toThrow("the options of odd");
  expect(() => shortForm(file({ type: FieldDescriptorProto_Type.GROUP }))).toThrow("the type of odd");
  expect(() => shortForm(file({ name: "Odd" }))).toThrow("the name Odd");
});
