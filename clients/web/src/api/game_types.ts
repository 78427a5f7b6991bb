/** Makes the types of all games known, for pages that show whichever game comes. */
import { register } from "./registry";

const modules = import.meta.glob<Readonly<Record<string, unknown>>>("./{einstein,emperado,plateau,wec}_pb.ts", {
  base: "../../../typescript/src/generated/brettwerk/v1",
  eager: true,
});
for (const module of Object.values(modules)) register(module);
