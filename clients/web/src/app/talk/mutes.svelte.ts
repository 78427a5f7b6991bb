/** A player's mutes. The list travels with the player; a copy in this browser is good while the server cannot be asked. */
import { browserStorage, readJson, writeJson } from "../../api/storage";
import { server } from "../server.svelte";

const KEY = "brettwerk.muted";
const MAX = 500;

interface Muted {
  readonly playerId: string;
  readonly name: string;
}

const storage = browserStorage("localStorage");

class Mutes {
  list = $state.raw<readonly Muted[]>(readList(readJson(storage, KEY)));
  readonly #ids = $derived(new Set(this.list.map(({ playerId }) => playerId)));
  #asked = "";

  /** Whether the player does not want to hear somebody. */
  has(playerId: string): boolean {
    return this.#ids.has(playerId);
  }

  /** Asks the server for the list, once for each player. */
  async load(): Promise<void> {
    const own = server.wallet.player?.id ?? "";
    if (own === "" || own === this.#asked) return;
    this.#asked = own;
    const { muted } = await server.call("listMutedPlayers", {});
    this.#keep(muted);
  }

  /** Mutes somebody, or ends that: here at once, and on the server when it can be reached. */
  async set(who: Muted, isMuted: boolean): Promise<void> {
    const others = this.list.filter(({ playerId }) => playerId !== who.playerId);
    this.#keep(isMuted ? [who, ...others] : others);
    if (server.wallet.player === undefined) return;
    await server.call("mutePlayer", { playerId: who.playerId, name: who.name, ends: !isMuted }).catch(() => undefined);
  }

  #keep(list: readonly Muted[]): void {
    this.list = list.slice(0, MAX).map(({ playerId, name }) => ({ playerId, name }));
    writeJson(storage, KEY, this.list);
  }
}

function readList(value: unknown): readonly Muted[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX).filter((each): each is Muted => {
    const { playerId, name } = (each ?? {}) as Partial<Record<keyof Muted, unknown>>;
    return typeof playerId === "string" && typeof name === "string";
  });
}

export const mutes = new Mutes();
