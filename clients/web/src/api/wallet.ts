/**
 * The tokens of this browser: who the player is, which seats are theirs, which sessions they have created, and who has signed
 * in here.
 *
 * Tokens live in local storage under the id of their session, never in an address. At most `MAX_SESSIONS` sessions are kept.
 */
import { readJson, writeJson, type Storage } from "./storage";

/** A guest's identity. */
export interface Player {
  readonly id: string;
  readonly token: string;
  readonly name: string;
}

const PLAYER = "brettwerk.player";
const SEATS = "brettwerk.seats.";
/** Its name is what browsers have kept since 0.1.0. */
const CREATED = "brettwerk.founded";
const DEVICES = "brettwerk.devices";
export const MAX_SESSIONS = 200;
/** As many as a sign-in may bring. */
export const MAX_DEVICES = 8;

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

function isPair(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === "string");
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

  /** Keeps the player. */
  keepPlayer(player: Player): void {
    writeJson(this.#storage, PLAYER, player);
  }

  /** Whether the player is forgotten with the page, since this browser's storage is switched off or full. */
  get forgetsPlayer(): boolean {
    return this.#storage.forgets?.(PLAYER) === true;
  }

  /** Forgets the player, whose token is good for nothing any more. */
  forgetPlayer(): void {
    this.#storage.removeItem(PLAYER);
  }

  /** Returns the device tokens of the players who have signed in here, last ones first. */
  get devices(): readonly string[] {
    return this.#devices().map(([, token]) => token);
  }

  /** Keeps the device token of a player who has signed in here. They stay when the player goes: they are for the next sign-in. */
  keepDevice(player: string, token: string): void {
    if (token === "") return; // of a server before 1.1
    const others = this.#devices().filter(([id]) => id !== player);
    writeJson(this.#storage, DEVICES, [[player, token], ...others].slice(0, MAX_DEVICES));
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

  /**
   * Keeps the token of one seat for another: its person was dealt that one. A token that was kept for it takes the old place,
   * until the server says where that one belongs.
   */
  moveSeat(session: string, from: number, to: number): void {
    const tokens = new Map(this.seats(session));
    const [moved, other] = [tokens.get(from), tokens.get(to)];
    if (moved === undefined || from === to) return;
    tokens.delete(from);
    if (other !== undefined) tokens.set(from, other);
    this.#write(session, tokens.set(to, moved));
  }

  /** Returns the sessions that there are seats of, newest first. */
  sessions(): string[] {
    return [...new Set(this.#kept().map(({ session }) => session))];
  }

  /** Keeps that the player has created a session: they may do more there than others, also without a seat. */
  keepCreated(session: string): void {
    const { player } = this;
    if (player === undefined) return;
    const others = this.#created().filter(([id]) => id !== session);
    writeJson(this.#storage, CREATED, [[session, player.id], ...others].slice(0, MAX_SESSIONS));
  }

  /** Returns whether this player has created a session. */
  hasCreated(session: string): boolean {
    const { player } = this;
    return player !== undefined && this.#created().some(([id, creator]) => id === session && creator === player.id);
  }

  #created(): (readonly [session: string, player: string])[] {
    return this.#pairs(CREATED);
  }

  #devices(): (readonly [player: string, token: string])[] {
    return this.#pairs(DEVICES);
  }

  #pairs(key: string): (readonly [string, string])[] {
    const value = readJson(this.#storage, key);
    return Array.isArray(value) ? value.filter(isPair) : [];
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
    for (const { session } of this.#kept().slice(MAX_SESSIONS)) this.#storage.removeItem(SEATS + session);
  }
}
