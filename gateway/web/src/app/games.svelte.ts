/** The games of this server, and their words. */
import type { Game, Text } from "../api/generated/brettwerk/v1/games_pb";
import { settable } from "../api/options";
import type { Say } from "../boards/board";
import { server } from "./server.svelte";
import { settings, type Language } from "./settings.svelte";
import { fill } from "./text/fill";
import { find } from "./text/text.svelte";

/** A game's words in one language. */
interface Words {
  readonly catalogue: Readonly<Record<string, string>>;
  readonly page: string;
}

class Games {
  /** The games in order of id. */
  all = $state.raw<readonly Game[]>([]);
  #words = $state.raw<Readonly<Record<string, Words>>>({});
  readonly #asked = new Map<string, Promise<void>>();
  #listed: Promise<void> | undefined;

  /** Loads the list once. Raises Refused. */
  load(): Promise<void> {
    this.#listed ??= this.#list().catch((error: unknown) => {
      this.#listed = undefined;
      throw error;
    });
    return this.#listed;
  }

  /** Loads the list and the words of all its games. Raises Refused. */
  async loadAll(language: Language): Promise<void> {
    await this.load();
    await Promise.all(this.all.map(({ id }) => this.loadWords(id, language)));
  }

  async #list(): Promise<void> {
    const found: Game[] = [];
    let pageToken = "";
    do {
      const page = await server.call("listGames", { pageToken });
      found.push(...page.games.map(settable));
      pageToken = page.nextPageToken;
    } while (pageToken !== "" && found.length < 1000);
    this.all = found;
  }

  /** Returns a game, or undefined while or when there is none of that id. */
  get(id: string): Game | undefined {
    return this.all.find((game) => game.id === id);
  }

  /** Whether it is known that there is no game of that id. */
  lacks(id: string): boolean {
    return this.all.length > 0 && this.get(id) === undefined;
  }

  /** Loads a game's words in a language once. Raises Refused. */
  loadWords(id: string, language: Language): Promise<void> {
    const key = `${id} ${language}`;
    let asked = this.#asked.get(key);
    if (asked === undefined) {
      asked = server.call("getGame", { game: id, language }).then(
        ({ catalogue, rulesPage }) => void (this.#words = { ...this.#words, [key]: { catalogue, page: rulesPage } }),
        (error: unknown) => {
          this.#asked.delete(key);
          throw error;
        },
      );
      this.#asked.set(key, asked);
    }
    return asked;
  }

  /** Returns a game's rules page in the player's language, or undefined before it is there. */
  page(id: string): string | undefined {
    return this.#words[`${id} ${settings.language}`]?.page;
  }

  /** Returns a sentence of a game's catalogue as it stands there, or undefined. */
  sentence(id: string, key: string): string | undefined {
    const words = this.#words[`${id} ${settings.language}`] ?? this.#words[`${id} en`] ?? this.#words[`${id} de`];
    return words?.catalogue[key];
  }

  /** Returns how to say things of a game: its catalogue first, then the client's. */
  say(id: string): Say {
    return (key, args = {}) => {
      const sentence = this.sentence(id, key);
      return sentence === undefined ? (find(key, args) ?? "") : fill(sentence, args);
    };
  }

  /** Returns a text of a game in words; its key's last part before the catalogue is there. */
  words(id: string, text: Text | undefined): string {
    return text === undefined ? "" : this.say(id)(text.key, text.args);
  }

  /** Returns the name of a game. */
  nameOf(id: string): string {
    return this.words(id, this.get(id)?.name) || id;
  }

  /** Returns the name of a seat of a game. */
  seatName(id: string, seat: number): string {
    return this.words(id, this.get(id)?.seats[seat]?.name) || String(seat + 1);
  }
}

export const games = new Games();
