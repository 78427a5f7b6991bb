/**
 * Makes the page's description of the contract shorter. Generated code has each file as FileDescriptorProto in base64, which says
 * each name several times, hardly gets smaller when it is compressed, and needs the description of descriptions to be read. The
 * built page has the short form of src/api/contract_text.ts instead.
 */
import { clearField, clone, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldOptionsSchema,
  FileDescriptorProtoSchema,
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  type ServiceDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { fieldName, prefixOf, TYPE_SIGNS, typeNamedAs } from "../src/api/contract_text";

const DESCRIPTION = /fileDesc\("([A-Za-z0-9+/]+)"/;
/** The options of fields that change nothing for a page. */
const LEFT_OUT = [FieldOptionsSchema.field.deprecated, FieldOptionsSchema.field.debugRedact];
/** The files of the contract, and those of protobuf's own that the page needs. */
const FILES = /(_pb[.]ts|[/](any|struct)_pb[.]js)$/;
const READER = fileURLToPath(new URL("../src/api/contract_text.ts", import.meta.url));

/** Raises an Error for a part of a description that the short form has no way to say. */
function must(isSayable: boolean, what: string): void {
  if (!isSayable)
    throw new Error(`the short form of the contract has no way to say ${what} (src/api/contract_text.ts)`);
}

function numberOf(number: number, before: number): string {
  return number === before + 1 ? "" : String(number);
}

/** Returns a name of a field or a choice, by which `fieldName` finds it. */
function shortName(name: string): string {
  const short = [protoCamelCase(name), name].find((each) => fieldName(each) === name);
  must(short !== undefined, `the name ${name}`);
  return short ?? name;
}

function typeOf(field: FieldDescriptorProto, within: string): string {
  const sign = TYPE_SIGNS[field.type] ?? " ";
  must(sign !== " ", `the type of ${field.name}`);
  if (field.type !== FieldDescriptorProto_Type.MESSAGE && field.type !== FieldDescriptorProto_Type.ENUM) return sign;
  if (!field.typeName.startsWith(within)) return `${sign}${field.typeName},`;
  const [name, usual] = [field.typeName.slice(within.length), typeNamedAs(field.name)];
  if (name === usual) return `${sign},`;
  return `${sign}${name.startsWith(usual) ? `+${name.slice(usual.length)}` : name},`;
}

function isPlain({ options }: FieldDescriptorProto): boolean {
  if (options === undefined) return true;
  const rest = clone(FieldOptionsSchema, options);
  for (const option of LEFT_OUT) clearField(rest, option);
  return toBinary(FieldOptionsSchema, rest).length === 0;
}

function fieldsOf(message: DescriptorProto, within: string): string {
  let before = 0;
  let choice: number | undefined;
  const fields = message.field.map((field) => {
    must(isPlain(field), `the options of ${field.name}`);
    const own = Object.hasOwn(field, "oneofIndex") && !field.proto3Optional ? field.oneofIndex : undefined;
    const closes = choice !== undefined && own !== choice ? ")" : "";
    const opens = own === undefined || own === choice ? "" : `(${shortName(message.oneofDecl[own]?.name ?? "")},`;
    const label = field.label === FieldDescriptorProto_Label.REPEATED ? "*" : field.proto3Optional ? "?" : "";
    const number = numberOf(field.number, before);
    const json = Object.hasOwn(field, "jsonName") ? `=${field.jsonName}` : "";
    [choice, before] = [own, field.number];
    return `${closes}${opens}${number}${label}${shortName(field.name)}${json}${typeOf(field, within)}`;
  });
  return fields.join("");
}

function messageLines(message: DescriptorProto, within: string, depth: string): string[] {
  const sign = message.options?.mapEntry === true ? "%" : "";
  return [
    `${depth}${sign}${message.name} ${fieldsOf(message, within)}`.trimEnd(),
    ...message.enumType.map((each) => enumLine(each, `${depth}.`)),
    ...message.nestedType.flatMap((each) => messageLines(each, within, `${depth}.`)),
  ];
}

function enumLine({ name, value }: EnumDescriptorProto, depth: string): string {
  const prefix = prefixOf(name);
  const shared = value.every((each) => each.name.startsWith(prefix) && /^[A-Z]/.test(each.name.slice(prefix.length)));
  let before = -1;
  const values = value.map((each) => {
    must(each.number >= 0, `the value ${each.name}`);
    const number = numberOf(each.number, before);
    before = each.number;
    return number + (shared ? each.name.slice(prefix.length) : each.name);
  });
  return `${depth}${shared ? "=" : "|"}${name} ${values.join(" ")}`;
}

function serviceLine({ name, method }: ServiceDescriptorProto, within: string): string {
  const methods = method.map((each) => {
    const isUsual =
      each.inputType === `${within}${each.name}Request` && each.outputType === `${within}${each.name}Response`;
    must(isUsual, `what ${each.name} takes and returns`);
    return `${each.name}${each.clientStreaming ? "<" : ""}${each.serverStreaming ? ">" : ""}`;
  });
  return `!${name} ${methods.join(" ")}`;
}

/** Returns the short form of an encoded FileDescriptorProto. Raises an Error for one that has none. */
export function shortForm(description: Uint8Array): string {
  const file = fromBinary(FileDescriptorProtoSchema, description);
  must(file.syntax === "proto3" && file.extension.length === 0, `the syntax and the extensions of ${file.name}`);
  const within = `.${file.package}.`;
  return [
    `${file.name} ${file.package}`,
    ...file.enumType.map((each) => enumLine(each, "")),
    ...file.messageType.flatMap((each) => messageLines(each, within, "")),
    ...file.service.map((each) => serviceLine(each, within)),
  ].join("\n");
}

/** The plugin. */
export function shortContract(): Plugin {
  return {
    name: "short-contract",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      if (!FILES.test(id)) return null;
      const [found, description] = DESCRIPTION.exec(code) ?? [];
      if (found === undefined || description === undefined) return null;
      const text = JSON.stringify(shortForm(Buffer.from(description, "base64")));
      const reader = `import { contractFile } from ${JSON.stringify(READER)};\n`;
      return { code: reader + code.replace(found, () => `contractFile(${text}`), map: null };
    },
  };
}
