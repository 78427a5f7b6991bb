/** Answers that are the same for everybody, by the Connect protocol's GET: compressed, and kept by the browser. */
import { create, fromBinary, toBinary, type DescMessage } from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import type { RequestOf, ResponseOf } from "@brettwerk/client/wire";
import { PlayService } from "@brettwerk/client/v1/play";

export type KeptName = "listGames" | "getGame" | "getPuzzle";

/** Returns the address of a call. */
export function addressOf<Name extends KeptName>(name: Name, request: RequestOf<Name>): string {
  const { input, name: method }: { input: DescMessage; name: string } = PlayService.method[name];
  const message = base64Encode(toBinary(input, create(input, request as Record<string, unknown>)), "url");
  return `/${PlayService.typeName}/${method}?connect=v1&encoding=proto&base64=1&message=${message}`;
}

/** Returns the answer to a call, or undefined when it cannot be had in this way. */
export async function readKept<Name extends KeptName>(
  name: Name,
  request: RequestOf<Name>,
): Promise<ResponseOf<Name> | undefined> {
  try {
    const response = await fetch(addressOf(name, request));
    if (!response.ok) return undefined;
    const output: DescMessage = PlayService.method[name].output;
    return fromBinary(output, new Uint8Array(await response.arrayBuffer())) as unknown as ResponseOf<Name>;
  } catch {
    return undefined;
  }
}
