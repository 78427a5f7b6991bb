/** A QR code as the path of a drawing: one rectangle for each run of dark modules in a row. */
import { generate } from "lean-qr";

/** How many light modules a reader needs around a code (ISO/IEC 18004). */
export const MARGIN = 4;

interface QrPath {
  /** Modules along a side, margin included. */
  readonly size: number;
  /** The dark modules, as the `d` of an SVG path. */
  readonly dark: string;
}

/** Returns the QR code of a text. */
export function qrPath(text: string): QrPath {
  const code = generate(text);
  const runs: string[] = [];
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      const from = x;
      while (code.get(x, y)) x++;
      if (x > from) runs.push(`M${from + MARGIN} ${y + MARGIN}h${x - from}v1h${from - x}z`);
    }
  }
  return { size: code.size + 2 * MARGIN, dark: runs.join("") };
}
