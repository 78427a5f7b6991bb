/**
 * The server's answers in JSON, as far as a board needs them. The generated types would bring as many bytes with them as all the
 * rest of the page.
 */
import type { MapBoard } from "../../boards/plain/board_map";
import type { BoardOptions } from "../../boards/thumbnail";

export interface Text {
  readonly key: string;
  readonly args: Readonly<Record<string, string>>;
}

/** A message of a game, in JSON. */
export type View = Readonly<Record<string, unknown>>;

export interface Seat {
  readonly occupant?: {
    readonly person?: { readonly playerId: string; readonly name: string };
    readonly computer?: { readonly level: string };
  };
}

export interface Session {
  readonly game: string;
  readonly state: string;
  readonly title: string;
  readonly seats: readonly Seat[];
  readonly outcome?: { readonly winners: readonly number[]; readonly reason?: Text };
}

export interface Update {
  readonly version: string;
  readonly view?: View;
  readonly toAct: readonly number[];
  readonly happening?: { readonly kind: string; readonly notation: string; readonly concernedSeat?: number };
  readonly session: Session;
}

export interface WatchMessage {
  readonly watch?: { readonly update?: Update; readonly resync?: { readonly update: Update } };
  readonly refusal?: { readonly reason: string };
}

export interface Game {
  readonly game: { readonly seats: readonly { readonly name: Text; readonly colour: string }[] };
  readonly catalogue: Readonly<Record<string, string>>;
  /** Where it was asked for. */
  readonly board?: MapBoard;
}

export interface Scene {
  readonly places: readonly {
    readonly label?: Text;
    readonly things: readonly unknown[];
  }[];
  readonly facts: readonly { readonly label?: Text; readonly value?: Text }[];
}

const SERVICE = "/brettwerk.v1.PlayService";

/** Returns a game with its words in a language, and its board with these options. Raises an Error where it cannot be had. */
export async function readGame(game: string, language: string, board: BoardOptions | undefined): Promise<Game> {
  const asked = board && {
    showsBoard: true,
    options: { "@type": `type.googleapis.com/${board.type}`, ...board.fields },
  };
  const request = { game, language, withoutRulesPage: true, withoutRuleSentences: true, ...asked };
  const message = encodeURIComponent(JSON.stringify(request));
  return readJson(await fetch(`${SERVICE}/GetGame?connect=v1&encoding=json&message=${message}`));
}

/** Returns a view in words that need no knowledge of the game. Raises an Error where it cannot be had. */
export async function readScene(game: string, view: View): Promise<Scene> {
  const { scene } = await call<{ readonly scene: Scene }>("DescribeView", { game, view });
  return scene;
}

/** The most versions of a game that are gone through: the last ones. */
const MAX_VERSIONS = 2000;
const PAGE = 500;
/** Kinds of happenings that make another picture. */
const PICTURED = new Set(["KIND_STARTED", "KIND_ACTED", "KIND_UNDONE", "KIND_LOADED", "KIND_FLAGGED", "KIND_RESIGNED"]);

/** Returns a game from its start on, or its last part if it is a long one. Raises an Error where it cannot be had. */
export async function readPast(session: string, newest: number): Promise<readonly Update[]> {
  const found: Update[] = [];
  let pageToken = "";
  do {
    const fromVersion = Math.max(1, newest - MAX_VERSIONS + 1);
    const request = { sessionId: session, fromVersion, pageSize: PAGE, pageToken };
    const page = await call<{ readonly updates: readonly Update[]; readonly nextPageToken: string }>(
      "ListUpdates",
      request,
    );
    found.push(...page.updates);
    pageToken = page.nextPageToken;
  } while (pageToken !== "" && found.length < MAX_VERSIONS);
  return found.filter(({ view, happening }) => view !== undefined && PICTURED.has(happening?.kind ?? ""));
}

async function call<Answer>(method: string, request: object): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  return readJson(await fetch(`/v1/${method}`, { method: "POST", headers, body: JSON.stringify(request) }));
}

async function readJson<Answer>(response: Response): Promise<Answer> {
  if (!response.ok) throw new Error(`the server has answered ${response.status}`);
  return (await response.json()) as Answer;
}
