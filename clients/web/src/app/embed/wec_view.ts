/** Views of Weaponized Chess whose enums are names, as in JSON, with the numbers that its board knows them by. */
import { WecHand, WecKind } from "@brettwerk/client/v1/wec";
import type { View } from "./answers";

const NUMBERS = { kind: { prefix: "WEC_KIND_", numbers: WecKind }, hand: { prefix: "WEC_HAND_", numbers: WecHand } };

/** Returns the view with numbers. */
export function numbered(view: View): View {
  const pieces = (view["pieces"] ?? []) as readonly Readonly<Record<string, unknown>>[];
  return {
    ...view,
    pieces: pieces.map((piece) => {
      const found = Object.entries(NUMBERS).map(([field, { prefix, numbers }]) => {
        const name = String(piece[field]).replace(prefix, "");
        return [field, (numbers as Readonly<Record<string, string | number>>)[name] ?? 0] as const;
      });
      return { ...piece, ...Object.fromEntries(found) };
    }),
  };
}
