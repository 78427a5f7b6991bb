/**
 * Writes that no answer has come for yet.
 *
 * They lie in session storage, so that a reload or a crash of the tab does not lose them: the next page sends them again under
 * the same request id, and the server carries each out once. At most `MAX_WRITES` wait; a further one is refused.
 */
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { Reason } from "@brettwerk/client/v1/errors";
import { CallSchema, type Call } from "@brettwerk/client/v1/play";
import { ownRefusal } from "@brettwerk/client/wire";
import { readJson, writeJson, type Storage } from "./storage";

const KEY = "brettwerk.outbox";
export const MAX_WRITES = 32;

export class Outbox {
  readonly #storage: Storage;
  readonly #calls = new Map<string, Call>();

  constructor(storage: Storage) {
    this.#storage = storage;
    for (const [requestId, call] of restore(readJson(storage, KEY))) this.#calls.set(requestId, call);
  }

  /** The writes in the order they were made, by request id. */
  get calls(): ReadonlyMap<string, Call> {
    return this.#calls;
  }

  /** Keeps a write. Raises Refused (FULL) when too many wait already. */
  add(requestId: string, call: Call): void {
    if (this.#calls.size >= MAX_WRITES) throw ownRefusal(Reason.FULL, "too many actions wait for the server");
    this.#calls.set(requestId, call);
    this.#save();
  }

  /** Forgets a write that has been answered. */
  remove(requestId: string): void {
    if (this.#calls.delete(requestId)) this.#save();
  }

  #save(): void {
    const lines = [...this.#calls].map(([id, call]) => [id, base64Encode(toBinary(CallSchema, call))]);
    if (lines.length > 0) writeJson(this.#storage, KEY, lines);
    else this.#storage.removeItem(KEY);
  }
}

function* restore(value: unknown): Generator<[string, Call]> {
  if (!Array.isArray(value)) return;
  for (const line of value.slice(0, MAX_WRITES) as unknown[]) {
    if (!Array.isArray(line)) continue;
    const [id, bytes] = line as unknown[];
    if (typeof id !== "string" || typeof bytes !== "string") continue;
    try {
      yield [id, fromBinary(CallSchema, base64Decode(bytes))];
    } catch {
      // Written by another version of this client, or damaged: nothing can be done with it.
    }
  }
}
