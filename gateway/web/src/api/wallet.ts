/**
 * The tokens of this browser: who the player is, and which seats are his.
 *
 * Tokens live in local storage under the id of their session, never in an address. At most `MOST_SESSIONS` sessions are kept.
 */
import { readJson, writeJson, type Storage } from "./storage";

/** A guest's identity. */
export interface Player {
  readonly id: string;
  readonly token: string;
  readonly name: string;
}

const PLAYER = "brettwerk.player";
/** Who this browser was before, so that taking an old name again makes the old player of it, with his seats. */
const EARLIER = "brettwerk.players";
const SEATS = "brettwerk.seats.";
export const MOST_SESSIONS = 200;
export const MOST_PLAYERS = 10;

interface Kept {
  readonly at: number;
  readonly tokens: Readonly<Record<string, string>>;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isKept(value: unknown): value is Kept {
  return isRecord(value) && typeof value["at"] === "number" && isRecord(value["tokens"]);
}

function readPlayer(value: unknown): Player | undefined {
  if (!isRecord(value)) return undefined;
  const { id, token, name } = value;
  if (typeof id !== "string" || typeof token !== "string" || typeof name !== "string") return undefined;
  return { id, token, name };
}

export class Wallet {
  readonly #storage: Storage;
  readonly #now: () => number;

  constructor(storage: Storage, now: () => number = Date.now) {
    this.#storage = storage;
    this.#now = now;
  }

  /** The player, once there is one. */
  get player(): Player | undefined {
    return readPlayer(readJson(this.#storage, PLAYER));
  }

  /** Returns the player of a name that this browser was before, or undefined. */
  earlier(name: string): Player | undefined {
    return this.#earlier().find((player) => player.name === name);
  }

  /** Keeps the player. */
  keepPlayer(player: Player): void {
    writeJson(this.#storage, PLAYER, player);
    const others = this.#earlier().filter((each) => each.name !== player.name);
    writeJson(this.#storage, EARLIER, [player, ...others].slice(0, MOST_PLAYERS));
  }

  /** Forgets the player, whose token is good for nothing any more. */
  forgetPlayer(): void {
    const gone = this.player?.token;
    this.#storage.removeItem(PLAYER);
    const left = this.#earlier().filter((player) => player.token !== gone);
    writeJson(this.#storage, EARLIER, left);
  }

  #earlier(): Player[] {
    const value = readJson(this.#storage, EARLIER);
    return Array.isArray(value) ? value.map(readPlayer).filter((player) => player !== undefined) : [];
  }

  /** Returns the tokens of the player's seats in a session, by seat, in turn order. */
  seats(session: string): ReadonlyMap<number, string> {
    const value = readJson(this.#storage, SEATS + session);
    if (!isKept(value)) return new Map();
    return new Map(Object.entries(value.tokens).map(([seat, token]) => [Number(seat), token]));
  }

  /** Keeps the token of a seat. */
  keepSeat(session: string, seat: number, token: string): void {
    this.#write(session, new Map(this.seats(session)).set(seat, token));
    this.#dropOldest();
  }

  /** Forgets the token of a seat that is the player's no longer. */
  forgetSeat(session: string, seat: number): void {
    const tokens = new Map(this.seats(session));
    if (!tokens.delete(seat)) return;
    if (tokens.size > 0) this.#write(session, tokens);
    else this.#storage.removeItem(SEATS + session);
  }

  /** Returns the sessions that there are seats of, newest first. */
  sessions(): string[] {
    return this.#kept().map(({ session }) => session);
  }

  #write(session: string, tokens: ReadonlyMap<number, string>): void {
    const kept: Kept = { at: this.#now(), tokens: Object.fromEntries(tokens) };
    writeJson(this.#storage, SEATS + session, kept);
  }

  #kept(): { session: string; at: number }[] {
    const found: { session: string; at: number }[] = [];
    for (let index = 0; index < this.#storage.length; index++) {
      const key = this.#storage.key(index);
      if (!key?.startsWith(SEATS)) continue;
      const value = readJson(this.#storage, key);
      found.push({ session: key.slice(SEATS.length), at: isKept(value) ? value.at : 0 });
    }
    return found.sort((one, other) => other.at - one.at);
  }

  #dropOldest(): void {
    for (const { session } of this.#kept().slice(MOST_SESSIONS)) this.#storage.removeItem(SEATS + session);
  }
}
