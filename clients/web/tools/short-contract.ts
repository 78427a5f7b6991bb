/**
 * Makes the page's description of the contract shorter: what it says to other languages (namespaces, packages) is left out, and the
 * rest stands there byte by byte, since texts in base64 hardly get smaller when they are compressed.
 */
import type { Plugin } from "vite";

/** FileDescriptorProto.options. */
const OPTIONS = 8;
const DESCRIPTION = /fileDesc\("([A-Za-z0-9+/]+)"/;

function varint(data: Uint8Array, start: number): [value: number, end: number] {
  let [value, shift, at] = [0, 0, start];
  for (;;) {
    const byte = data[at++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
    shift += 7;
  }
}

/** Returns an encoded FileDescriptorProto, which has fields with lengths and nothing else, without its options. */
export function withoutOptions(data: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = [];
  for (let at = 0; at < data.length;) {
    const [tag, afterTag] = varint(data, at);
    const [length, afterLength] = varint(data, afterTag);
    const end = (tag & 7) === 2 ? afterLength + length : afterLength;
    if (tag >> 3 !== OPTIONS) kept.push(data.subarray(at, end));
    at = end;
  }
  return new Uint8Array(Buffer.concat(kept));
}

/** The plugin. */
export function shortContract(): Plugin {
  return {
    name: "short-contract",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      if (!id.endsWith("_pb.ts")) return null;
      const shortened = code.replace(DESCRIPTION, (_, text: string) => {
        const data = withoutOptions(Buffer.from(text, "base64"));
        return `fileDesc(/*@__PURE__*/ btoa(${JSON.stringify(Buffer.from(data).toString("latin1"))})`;
      });
      return { code: shortened, map: null };
    },
  };
}
