/** Names as the server takes them, so that nobody is refused a seat for what they call themselves. */

/** The longest name, in UTF-8 bytes. */
const MAX_BYTES = 40;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Returns a name without what cannot be seen, with single spaces, and no longer than the server allows; empty when nothing is left. */
export function cleanName(name: string): string {
  const seen = name
    .normalize("NFC")
    .replace(/[\p{Z}\t\n]+/gu, " ")
    .replace(/\p{C}/gu, "");
  let found = "";
  for (const { segment } of new Intl.Segmenter().segment(seen.trim())) {
    if (bytesOf(found + segment) > MAX_BYTES) break;
    found += segment;
  }
  return found.trim().replace(/ {2,}/g, " ");
}
