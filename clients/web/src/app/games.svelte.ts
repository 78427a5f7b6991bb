/** The games of this server, and their words: each is fetched when it is needed. */
import type { Game, Text } from "@brettwerk/client/v1/games";
import type { RequestOf, ResponseOf } from "@brettwerk/client/wire";
import { readKept, type KeptName } from "../api/shared_answers";
import { loadTypes } from "../api/registry";
import type { Say } from "../boards/board";
import { inKnownLanguage } from "./known_language";
import { server } from "./server.svelte";
import { settings } from "./settings.svelte";
import { fill } from "./text/fill";
import { BASE, type Language } from "./text/languages";
import { find } from "./text/text.svelte";
import { words } from "./text/words.svelte";

type Sentences = Readonly<Record<string, string>>;

/**
 * Returns what is the same for everybody, from what the browser has kept if that is good: in English where a server of an
 * earlier release does not know the language. Raises Refused.
 */
async function read<Name extends KeptName>(name: Name, request: RequestOf<Name>): Promise<ResponseOf<Name>> {
  const kept = await readKept(name, request);
  return kept ?? inKnownLanguage(request, (asked) => server.call(name, asked));
}

async function learn(contract: Uint8Array): Promise<void> {
  const { registerContract } = await import("../api/installed_types");
  registerContract(contract);
}

class Games {
  /** The games in the order of the server. */
  all = $state.raw<readonly Game[]>([]);
  /** The games' names, by language. */
  #names = $state.raw<Readonly<Record<string, Sentences>>>({});
  /** The names of their computers, by language, and by game and level. */
  #computers = $state.raw<Readonly<Record<string, Sentences>>>({});
  /** The catalogues, by game and language. */
  #words = $state.raw<Readonly<Record<string, Sentences>>>({});
  /** The rules pages, by game and language. */
  #pages = $state.raw<Sentences>({});
  readonly #asked = new Map<string, Promise<void>>();

  /** Loads the list, with the names in a language, once. Raises Refused. */
  load(language: Language = settings.language): Promise<void> {
    return this.#once(`list ${language}`, () => this.#list(language));
  }

  /** Does something once; again when it has failed. */
  #once(what: string, ask: () => Promise<void>): Promise<void> {
    let asked = this.#asked.get(what);
    if (asked === undefined) {
      asked = ask().catch((error: unknown) => {
        this.#asked.delete(what);
        throw error;
      });
      this.#asked.set(what, asked);
    }
    return asked;
  }

  /** Loads the list and the words of all its games. Raises Refused. */
  async loadAll(language: Language): Promise<void> {
    await this.load(language);
    await Promise.all(this.all.map(({ id }) => this.loadWords(id, language)));
  }

  async #list(language: Language): Promise<void> {
    const found: Game[] = [];
    const names: Record<string, string> = {};
    const computers: Record<string, string> = {};
    let pageToken = "";
    do {
      const page = await read("listGames", { pageToken, language });
      found.push(...page.games);
      Object.assign(names, page.names);
      Object.assign(computers, page.computerNames);
      pageToken = page.nextPageToken;
    } while (pageToken !== "" && found.length < 1000);
    this.#names = { ...this.#names, [language]: names };
    this.#computers = { ...this.#computers, [language]: computers };
    if (this.all.length === 0) this.all = found;
  }

  /** Returns a game, or undefined while or when there is none of that id. */
  get(id: string): Game | undefined {
    return this.all.find((game) => game.id === id);
  }

  /** Whether it is known that there is no game of that id. */
  lacks(id: string): boolean {
    return this.all.length > 0 && this.get(id) === undefined;
  }

  /** Loads the list, and a game's words where there is such a game, with the sentences of its rules if wanted. Raises Refused. */
  async loadWordsIfKnown(id: string, language: Language, { withRules = false } = {}): Promise<void> {
    await this.load(language);
    if (!this.lacks(id)) await (withRules ? this.loadWordsAndRules(id, language) : this.loadWords(id, language));
  }

  /**
   * Loads a game's words in a language, and its message types, once: where there are words, there are types. The sentences of its
   * rules, most of a catalogue, are not among them. Raises Refused.
   */
  loadWords(id: string, language: Language): Promise<void> {
    const key = `${id} ${language}`;
    return this.#once(`words ${key}`, async () => {
      const asked = read("getGame", { game: id, language, withoutRulesPage: true, withoutRuleSentences: true });
      const [{ catalogue, contract }] = await Promise.all([
        asked,
        this.#once(`types ${id}`, () => loadTypes(id)),
        words.loadBoard(id, language),
      ]);
      if (contract.length > 0) await this.#once(`contract ${id}`, () => learn(contract));
      this.#words = { ...this.#words, [key]: catalogue };
    });
  }

  /** Loads a game's words, and the sentences of its rules, in which refusals are told. Raises Refused. */
  async loadWordsAndRules(id: string, language: Language): Promise<void> {
    await this.loadWords(id, language);
    const key = `${id} ${language}`;
    await this.#once(`rules ${key}`, async () => {
      const { catalogue } = await read("getGame", { game: id, language, withoutRulesPage: true });
      this.#words = { ...this.#words, [key]: catalogue };
    });
  }

  /** Loads a game's rules page in a language once. Raises Refused. */
  loadPage(id: string, language: Language): Promise<void> {
    const key = `${id} ${language}`;
    return this.#once(`page ${key}`, async () => {
      const { rulesPage } = await read("getGame", { game: id, language });
      this.#pages = { ...this.#pages, [key]: rulesPage };
    });
  }

  /** Returns a game's rules page in the player's language, or undefined before it is there. */
  page(id: string): string | undefined {
    return this.#pages[`${id} ${settings.language}`];
  }

  /** Returns whether there are words for a game, whatever their language. */
  speaks(id: string): boolean {
    return this.#catalogue(id) !== undefined;
  }

  #catalogue(id: string): Sentences | undefined {
    return this.#words[`${id} ${settings.language}`] ?? this.#words[`${id} ${BASE}`] ?? this.#words[`${id} de`];
  }

  /** Returns a sentence of a game's catalogue unchanged, or undefined. */
  sentence(id: string, key: string): string | undefined {
    return this.#catalogue(id)?.[key];
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
    return this.#names[settings.language]?.[id] ?? (this.words(id, this.get(id)?.name) || id);
  }

  /** Returns the name of a level's computer, which is known without the game's words; undefined where it has none. */
  computerName(id: string, level: string): string | undefined {
    return this.#computers[settings.language]?.[`${id}/${level}`] ?? this.sentence(id, `level.${level}.name`);
  }

  /** Returns the name of a seat of a game. */
  seatName(id: string, seat: number): string {
    return this.words(id, this.get(id)?.seats[seat]?.name) || String(seat + 1);
  }
}

export const games = new Games();
