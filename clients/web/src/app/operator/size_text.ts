/** Sizes in words: bytes as disks are sold, in millions or thousands of millions. */
import { settings } from "../settings.svelte";

/** Returns a number of bytes: "24 MB", "1.1 GB". */
export function sizeText(bytes: bigint): string {
  const large = bytes >= 1_000_000_000n;
  const count = Number(bytes) / (large ? 1e9 : 1e6);
  const written = new Intl.NumberFormat(settings.language, {
    maximumFractionDigits: large && count < 10 ? 1 : 0,
  }).format(count);
  return `${written}\u00A0${large ? "GB" : "MB"}`;
}
