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
  readonly atMs: string;
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
  /** More words come as they are needed. */
  readonly catalogue: Record<string, string>;
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

/** Words for whoever watches: what the game, its seats and computers are called, and how it can end. */
const WORDS = ["game.name", "seat.", "level.", "reason."];
/** The parts of forms and of tables of levels. */
const FORMS = ["FIELD_OPTIONS", "FIELD_LEVELS", "FIELD_ORDERS", "FIELD_PHRASES"];
/** The parts of an update that no board needs. */
export const UNSEEN = ["FIELD_ACTIONS", "FIELD_EVENTS", "FIELD_OPTIONS"];

/** The server's refusal of a call. */
export class Refused extends Error {
  constructor(readonly reason: string) {
    super(`the server has refused: ${reason}`);
  }
}

/** Returns a game with the words for whoever watches, in a language. Raises an Error where it cannot be had. */
export async function readGame(game: string, language: string, board: BoardOptions | undefined): Promise<Game> {
  const asked = board && {
    showsBoard: true,
    options: { "@type": `type.googleapis.com/${board.type}`, ...board.fields },
  };
  return getGame({ game, language, keyPrefixes: WORDS, ...asked });
}

/** Returns the words of a game whose keys begin so. Raises an Error where they cannot be had. */
export async function readWords(
  game: string,
  language: string,
  keyPrefixes: readonly string[],
): Promise<Game["catalogue"]> {
  const { catalogue } = await getGame({ game, language, keyPrefixes });
  return catalogue;
}

/** Asks so that the browser keeps the answer. */
async function getGame(asked: object): Promise<Game> {
  const message = encodeURIComponent(JSON.stringify({ ...asked, withoutRulesPage: true, leaveOut: FORMS }));
  return readJson(await fetch(`${SERVICE}/GetGame?connect=v1&encoding=json&message=${message}`));
}

/** Returns the newest update of a session, as spectators see it. Raises Refused, or another Error where it does not come. */
export async function readNewest(sessionId: string): Promise<Update> {
  const { update } = await call<{ readonly update: Update }>("GetSession", { sessionId, leaveOut: UNSEEN });
  return update;
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
  const answer = (await response.json()) as Answer & { readonly refusal?: { readonly reason: string } };
  if (!response.ok) throw new Refused(answer.refusal?.reason ?? String(response.status));
  return answer;
}
