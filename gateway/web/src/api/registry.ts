/**
 * The message types of the contract, found by name, so that `Any` values of every game can be read.
 *
 * All generated files are taken, whichever they are: a new game's proto needs no change here. What the services say to each
 * other never reaches a client and stays out of the download.
 */
import { create, createRegistry, type DescFile, type DescMessage, type Message } from "@bufbuild/protobuf";
import { anyPack, anyUnpack, type Any } from "@bufbuild/protobuf/wkt";

const modules = import.meta.glob<Record<string, unknown>>(
  ["./generated/**/*_pb.ts", "!./generated/**/{ai,audience,link,players,rules,session,session_state}_pb.ts"],
  { eager: true },
);

function isFile(value: unknown): value is DescFile {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "file";
}

export const registry = createRegistry(...Object.values(modules).flatMap((each) => Object.values(each).filter(isFile)));

/** Returns the type of a full name (brettwerk.v1.EinsteinOptions), or undefined. */
export function messageType(name: string): DescMessage | undefined {
  return registry.getMessage(name);
}

/** Returns the message inside, or undefined when there is none or its type is not known. */
export function unpack(any: Any | undefined): Message | undefined {
  return any === undefined ? undefined : anyUnpack(any, registry);
}

/** Returns the full name of the type inside; empty when there is none. */
export function typeInside(any: Any | undefined): string {
  return any?.typeUrl.split("/").at(-1) ?? "";
}

/**
 * Returns an `Any` with a message of the named type, its fields taken from `fields`.
 *
 * Raises an Error for a type that is not in the contract.
 */
export function pack(name: string, fields: object): Any {
  const type = messageType(name);
  if (type === undefined) throw new Error(`there is no message type ${name}`);
  return anyPack(type, create(type, fields as Record<string, unknown>));
}
