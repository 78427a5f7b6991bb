/** The option that makes another board of the world: this folder has the drawing of the usual map alone. */
import type { EmperadoView } from "@brettwerk/client/v1/emperado";
import type { BoardOptions } from "../thumbnail";

/** Returns the options of a view on another map; undefined for the usual world. */
export function optionsOf(view: unknown): BoardOptions | undefined {
  const map = (view as EmperadoView | undefined)?.position?.options?.map ?? "";
  return map === "" ? undefined : { type: "brettwerk.v1.EmperadoOptions", fields: { map } };
}
