/**
 * Files of the contract in the short form that a built page has them in (tools/short-contract.ts writes it). A line is a type, and
 * what follows from a name is not said again, so that a call costs hardly more than its name:
 *
 * ```text
 * brettwerk/v1/talk.proto brettwerk.v1    the file and its package
 * Talk *lines:TalkLine,5?seat=at+         a message: a list, then field 5, which is optional and `at` in JSON
 * .Line (of,word;role/Role,)text;         a type inside of it, with a choice `of` two fields
 * .%NamesEntry key;value;                 the entries of a map
 * =Role GUEST 5OWNER                      an enum whose values begin with its name (`|`: they do not)
 * !TalkService Say Listen>                a service: Say takes a SayRequest, and Listen returns a stream of ListenResponse
 * ```
 *
 * A type that is not said is named as its field, and a `+` stands for that name: `say:+Request,` is a SayRequest.
 */
import { createFileRegistry, type DescFile } from "@bufbuild/protobuf";
import { protoCamelCase, protoSnakeCase } from "@bufbuild/protobuf/reflect";
import type { FileDescriptorProto } from "@bufbuild/protobuf/wkt";

interface Enum {
  readonly name: string;
  readonly value: readonly { readonly name: string; readonly number: number }[];
}
interface Field {
  readonly name: string;
  readonly jsonName: string;
  readonly number: number;
  readonly label: number;
  readonly type: number;
  readonly typeName: string;
  readonly proto3Optional: boolean;
  readonly oneofIndex: number | undefined;
}
interface Message {
  readonly name: string;
  readonly field: Field[];
  readonly oneofDecl: { readonly name: string }[];
  readonly nestedType: Message[];
  readonly enumType: Enum[];
  readonly extension: readonly unknown[];
  readonly options?: { readonly mapEntry: boolean } | undefined;
}
/** The parts of a FileDescriptorProto that are read. */
interface File {
  readonly $typeName: "google.protobuf.FileDescriptorProto";
  readonly name: string;
  readonly package: string;
  readonly syntax: string;
  readonly dependency: readonly string[];
  readonly messageType: Message[];
  readonly enumType: Enum[];
  readonly service: { readonly name: string; readonly method: readonly object[] }[];
  readonly extension: readonly unknown[];
}

/** The signs of types, each at the place of its number in FieldDescriptorProto.Type. */
export const TYPE_SIGNS = " ~^#@-[]!; :&+/{}<>";
/** FieldDescriptorProto.Label. */
const [SINGLE, REPEATED] = [1, 3];

const LINE = /^(\.*)([%=|!]?)(\w+) ?(.*)$/;
const FIELD = /(\)?)(?:\((\w+),)?(\d*)([*?]?)(\w+)(?:=(\w+))?(?:([:/])([\w.+]*),|(\W))/g;
const VALUE = /(\d*)(\w+)/g;
const METHOD = /(\w+)(<?)(>?)/g;

/** Returns the name of a field as the contract writes it. */
export function fieldName(short: string): string {
  return short.includes("_") ? short : protoSnakeCase(short);
}

/** Returns the name of the type that is named as its field. */
export function typeNamedAs(field: string): string {
  return protoCamelCase(`_${field}`);
}

/** Returns the beginning of the names of an enum's values. */
export function prefixOf(name: string): string {
  return `${protoSnakeCase(name).slice(1).toUpperCase()}_`;
}

/** Returns the number of a part: the one that stands before it, or the next one. */
function numbered(own: string | undefined, before: number): number {
  return own ? Number(own) : before + 1;
}

function enumOf(name: string, values: string, prefix: string): Enum {
  let number = -1;
  const value = [...values.matchAll(VALUE)].map(([, own, short = ""]) => {
    number = numbered(own, number);
    return { name: prefix + short, number };
  });
  return { name, value };
}

function messageOf(name: string, fields: string, mapEntry: boolean, within: string): Message {
  const message: Message = {
    name,
    field: [],
    oneofDecl: [],
    nestedType: [],
    enumType: [],
    extension: [],
    options: mapEntry ? { mapEntry } : undefined,
  };
  let number = 0;
  let oneofIndex: number | undefined;
  for (const [, closes, opens, own, label, short = "", json, kind, said = "", sign = ""] of fields.matchAll(FIELD)) {
    if (closes) oneofIndex = undefined;
    if (opens !== undefined) oneofIndex = message.oneofDecl.push({ name: fieldName(opens) }) - 1;
    number = numbered(own, number);
    const name = fieldName(short);
    const type = said === "" ? "+" : said;
    message.field.push({
      name,
      jsonName: json ?? protoCamelCase(name),
      number,
      label: label === "*" ? REPEATED : SINGLE,
      type: TYPE_SIGNS.indexOf(kind ?? sign),
      typeName: type.startsWith(".") ? type : `${within}${type.replace("+", typeNamedAs(name))}`,
      proto3Optional: label === "?",
      oneofIndex,
    });
  }
  return message;
}

/** Returns a file of the contract. `imports` are the files whose types it has. Raises an Error for types that are not there. */
export function contractFile(text: string, imports: readonly DescFile[] = []): DescFile {
  const [head = "", ...lines] = text.split("\n");
  const [name = "", packageName = ""] = head.split(" ");
  const within = `.${packageName}.`;
  const file: File = {
    $typeName: "google.protobuf.FileDescriptorProto",
    name,
    package: packageName,
    syntax: "proto3",
    dependency: imports.map((each) => each.proto.name),
    messageType: [],
    enumType: [],
    service: [],
    extension: [],
  };
  /** The messages that the next line can be inside of. */
  let around: Message[] = [];
  for (const line of lines) {
    const [, depth = "", kind, name = "", parts = ""] = LINE.exec(line) ?? [];
    const parent = around[depth.length - 1];
    if (kind === "!") {
      const method = [...parts.matchAll(METHOD)].map(([, each = "", clientStreaming, serverStreaming]) => ({
        name: each,
        inputType: `${within}${each}Request`,
        outputType: `${within}${each}Response`,
        clientStreaming: clientStreaming !== "",
        serverStreaming: serverStreaming !== "",
      }));
      file.service.push({ name, method });
    } else if (kind === "=" || kind === "|") {
      (parent ?? file).enumType.push(enumOf(name, parts, kind === "=" ? prefixOf(name) : ""));
    } else {
      const message = messageOf(name, parts, kind === "%", within);
      (parent?.nestedType ?? file.messageType).push(message);
      around = [...around.slice(0, depth.length), message];
    }
  }
  const files = createFileRegistry(file as FileDescriptorProto, (wanted) =>
    imports.find((each) => each.proto.name === wanted),
  );
  const found = files.getFile(name);
  if (found === undefined) throw new Error(`there is no file ${name}`);
  return found;
}
