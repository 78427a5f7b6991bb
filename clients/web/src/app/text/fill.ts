/** Putting things into sentences. */

export type Args = Readonly<Record<string, string | number>>;

/** Returns `sentence` with every {name} that `args` has replaced. */
export function fill(sentence: string, args: Args): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(args[name] ?? whole));
}
