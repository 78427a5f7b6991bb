/** The messages of the games, in and out of the `Any` that the contract carries them as. */
import { createRegistry, type DescMessage, type Message, type MessageShape } from "@bufbuild/protobuf";
import { anyPack, anyUnpack, type Any } from "@bufbuild/protobuf/wkt";
import { files } from "./generated/files";

/** All message types of the contract, for `toJson` and `fromJson` of what has an `Any` in it. */
export const registry = createRegistry(...files);

/** Returns the message inside; undefined when there is none, or its type is not known here. */
export function unpack(any: Any | undefined): Message | undefined;
/** Returns the message of this type inside; undefined when there is none, or one of another type. */
export function unpack<Desc extends DescMessage>(any: Any | undefined, type: Desc): MessageShape<Desc> | undefined;
export function unpack(any: Any | undefined, type?: DescMessage): Message | undefined {
  if (any === undefined) return undefined;
  return type === undefined ? anyUnpack(any, registry) : anyUnpack(any, type);
}

/** Returns a message of the contract as `Any`. Raises an Error for a type that is not in it. */
export function anyOf(message: Message): Any {
  const type = registry.getMessage(message.$typeName);
  if (type === undefined) throw new Error(`there is no message type ${message.$typeName}`);
  return anyPack(type, message);
}
