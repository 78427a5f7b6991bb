/** Outlines that are scaled and moved once, when they are made: each element with a transform is painted by itself. */

/** By command: what its numbers are. Arcs have radii, an angle, two flags and a place. */
const NUMBERS: Readonly<Record<string, string>> = { M: "xy", L: "xy", H: "x", V: "y", Q: "xyxy", A: "rr---xy", Z: "" };

/** Returns an outline so many times as large and then moved; it knows the commands that the outlines of armies have. */
export function placed(outline: string, scale: number, right = 0, down = 0): string {
  const by = { x: right, y: down, r: 0 };
  return [...outline.matchAll(/([A-Z])([^A-Z]*)/g)]
    .map(([, command = "", text = ""]) => {
      const kinds = NUMBERS[command] ?? "";
      const numbers = [...text.matchAll(/-?(?:\d+\.?\d*|\.\d+)/g)].map(([number], index) => {
        const kind = kinds[index % kinds.length];
        if (kind !== "x" && kind !== "y" && kind !== "r") return number;
        return String(Math.round((Number(number) * scale + by[kind]) * 100) / 100);
      });
      return command + numbers.join(" ");
    })
    .join("");
}
