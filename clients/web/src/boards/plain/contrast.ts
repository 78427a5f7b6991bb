/** Returns black or white ink, whichever can be read better on a colour (#rrggbb; white ink for what is written otherwise). */
export function inkOn(colour: string): string {
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour)?.slice(1) ?? [];
  const [red = 0, green = 0, blue = 0] = parts.map((part) => (parseInt(part, 16) / 255) ** 2.2);
  // Relative luminance of WCAG 2; at 0.18 both inks have the same contrast.
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? "#1b1d22" : "#ffffff";
}
