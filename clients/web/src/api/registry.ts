/**
 * The message types of the contract, found by name, so that `Any` values can be read.
 *
 * The large ones of the games named here come late, each when its game is chosen (`loadTypes`), so that the first page is light;
 * pages that show any game have them all from the start (`game_types.ts`). A new game's proto is to be named in both. What the
 * services say to each other never reaches a client and stays out of the download.
 */
import {
  create,
  createMutableRegistry,
  createRegistry,
  type DescFile,
  type DescMessage,
  type Message,
} from "@bufbuild/protobuf";
import { anyPack, anyUnpack, type Any } from "@bufbuild/protobuf/wkt";
import { file_brettwerk_v1_open_game } from "@brettwerk/client/v1/open_game";
import { file_brettwerk_v1_play } from "@brettwerk/client/v1/play";

type Module = Readonly<Record<string, unknown>>;

const late = import.meta.glob<Module>("./{einstein,emperado,plateau,wec}_pb.ts", {
  base: "../../../typescript/src/generated/brettwerk/v1",
});

function isFile(value: unknown): value is DescFile {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "file";
}

/** Returns a file of the contract with all that it is made of. */
function withImports(file: DescFile): DescFile[] {
  return [file, ...file.dependencies.flatMap(withImports)];
}

/** All types that have come. */
export const registry = createMutableRegistry(
  createRegistry(file_brettwerk_v1_open_game, ...withImports(file_brettwerk_v1_play)),
);

/** Makes the types of a generated file known by their names. */
export function register(module: Module): void {
  for (const type of createRegistry(...Object.values(module).filter(isFile))) registry.add(type);
}

/** Makes the types of a game known; of a game without types of its own nothing is to be done. Raises an Error when they do not come. */
export async function loadTypes(game: string): Promise<void> {
  const load = late[`./${game}_pb.ts`];
  if (load !== undefined) register(await load());
}

/** Returns the type of a full name (brettwerk.v1.EinsteinOptions), or undefined. */
export function messageType(name: string): DescMessage | undefined {
  return registry.getMessage(name);
}

/** Messages found inside, as long as somebody has them: a view is read in several places for each action that is shown. */
const unpacked = new WeakMap<Any, WeakRef<Message>>();

/** Returns the message inside, which nobody may change, or undefined when there is none or its type is not known. */
export function unpack(any: Any | undefined): Message | undefined {
  if (any === undefined) return undefined;
  const known = unpacked.get(any)?.deref();
  if (known !== undefined) return known;
  const message = anyUnpack(any, registry);
  if (message !== undefined) unpacked.set(any, new WeakRef(message));
  return message;
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
