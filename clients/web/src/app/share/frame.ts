/** A table's board on the page of somebody else. */

/** Returns the path of a table's board for the pages of others. */
export function pathOf(session: string): string {
  return `/embed/${session}`;
}

/** Returns whether this server lets pages of others show a board: what it says of the board's page itself. */
export async function mayEmbed(session: string): Promise<boolean> {
  try {
    const { headers } = await fetch(pathOf(session), { method: "HEAD", headers: { accept: "text/html" } });
    const [, ancestors = "'none'"] = /frame-ancestors ([^;]+)/.exec(headers.get("content-security-policy") ?? "") ?? [];
    return ancestors.trim() !== "'none'";
  } catch {
    return false;
  }
}

const ESCAPED: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

/** The facts of a frame with a board. */
export interface Frame {
  /** This server. */
  readonly origin: string;
  readonly session: string;
  readonly language: string;
  readonly title: string;
  /** Whether the board is wider than it is high. */
  readonly wide: boolean;
}

/** Returns the HTML with which another page shows a board. */
export function frameOf({ origin, session, language, title, wide }: Frame): string {
  const source = `${origin}${pathOf(session)}?language=${encodeURIComponent(language)}`;
  const [width, height] = wide ? [640, 520] : [420, 560];
  const said = title.replaceAll(/[&"<>]/g, (letter) => ESCAPED[letter] ?? letter);
  return `<iframe src="${source}" title="${said}" width="${width}" height="${height}" loading="lazy" style="border:0"></iframe>`;
}
