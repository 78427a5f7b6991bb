/** Unpacks the actions of a table: most of them are the same in the next position, and are decoded once. */
import type { Message } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { unpack } from "../../api/registry";

/** How many are kept; what comes after that begins anew. */
const MAX_KEPT = 20_000;

export class Unpacking {
  readonly #known = new Map<string, Message>();

  /** Returns the message inside, which nobody may change; undefined when there is none or its type is not known. */
  unpack(any: Any | undefined): Message | undefined {
    if (any === undefined) return undefined;
    const key = `${any.typeUrl} ${String.fromCharCode(...any.value)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const message = unpack(any);
    if (this.#known.size >= MAX_KEPT) this.#known.clear();
    if (message !== undefined) this.#known.set(key, message);
    return message;
  }
}
