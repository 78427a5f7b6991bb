/** Unpacks the actions of a table: most of them are listed again in the next position, as the same message, and are decoded once. */
import type { Message } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { unpack } from "../../../api/registry";

export class ActionCache {
  readonly #known = new WeakMap<Any, Message>();

  /** Returns the message inside, which nobody may change; undefined when there is none or its type is not known. */
  unpack(any: Any | undefined): Message | undefined {
    if (any === undefined) return undefined;
    const known = this.#known.get(any) ?? unpack(any);
    if (known !== undefined) this.#known.set(any, known);
    return known;
  }
}
