/** Messages as short texts that fit into an address: deflated, then base64 as RFC 4648 has it for addresses. */

const MAX_TEXT = 60_000;
const MAX_BYTES = 1_000_000;

/** Returns bytes as a text of letters, digits, - and _. */
export async function toText(bytes: Uint8Array): Promise<string> {
  const packed = await through(bytes, new CompressionStream("deflate-raw"), Infinity);
  const binary = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the bytes of a text. Raises an Error for a text that is none, or too large. */
export async function fromText(text: string): Promise<Uint8Array> {
  if (text.length > MAX_TEXT) throw new Error("the text is too long");
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const packed = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  return through(packed, new DecompressionStream("deflate-raw"), MAX_BYTES);
}

async function through(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array> {
  const writer = stream.writable.getWriter();
  // Errors here are reported by the reading end.
  void writer.write(bytes as Uint8Array<ArrayBuffer>).catch(() => undefined);
  void writer.close().catch(() => undefined);
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = (stream.readable as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) throw new Error("the text holds too much");
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
