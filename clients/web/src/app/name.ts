/** Names as the server takes them, so that nobody is refused a seat for what they call themselves. */

/** The longest name, in UTF-8 bytes. */
const MAX_BYTES = 40;

/** Joiners and variation selectors where they do something: in emoji, after a virama, between Arabic letters that join. */
const JOINING = [
  String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Emoji})\ufe0f`,
  String.raw`(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d]`,
  String.raw`(?<=[بپتثجچحخسشصضطظعغفقکكگلمنهیيئ])\u200c(?=\p{Script=Arabic})`,
  String.raw`(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]`,
].join("|");
/** Text that the server refuses, with text it takes in group 1. It knows more cases, which are rare enough to be lost here. */
const UNSEEN = new RegExp(String.raw`(${JOINING})|[\p{C}\p{DI}\u2800]|(?<=^| )\p{M}+|(?<=\p{M}{3})\p{M}`, "gu");

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Returns a name without what cannot be seen, with single spaces, and no longer than the server allows; empty when nothing is left. */
export function cleanName(name: string): string {
  // A guest is not to wait for what the expressions below cost a browser the first time.
  if (name === "") return "";
  const seen = name
    .normalize("NFC")
    .replace(/[\p{Z}\t\n]+/gu, " ")
    .replace(UNSEEN, "$1");
  let found = "";
  for (const { segment } of new Intl.Segmenter().segment(seen.trim())) {
    if (bytesOf(found + segment) > MAX_BYTES) break;
    found += segment;
  }
  return found.trim().replace(/ {2,}/g, " ");
}
