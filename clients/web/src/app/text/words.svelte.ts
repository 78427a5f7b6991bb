/** The words of all languages but English, as far as they are loaded; what is not there is said in English meanwhile. */
import type { Words as Sentence } from "../../boards/tour";
import { BASE, boardLoader, FIRST, loadersOf, type Catalogue, type Catalogues, type Language } from "./languages";

class Words {
  /** By language. */
  #features = $state.raw<Readonly<Record<Language, Catalogues>>>({});
  /** The boards' words by the English sentence, by language. */
  #boards = $state.raw<Catalogues>({});
  readonly #asked = new Map<string, Promise<void>>();

  /** Loads the words of a language once, those of the first page before all others; what cannot be had stays English. */
  async load(language: Language): Promise<void> {
    if (language === BASE) return;
    const loaders = [...loadersOf(language)].sort(([one], [other]) => Number(other === FIRST) - Number(one === FIRST));
    const [first, ...others] = loaders.map(
      ([feature, load]) =>
        () =>
          this.#once(`${language} ${feature}`, async () => this.take(language, { [feature]: await load() })),
    );
    await first?.();
    await Promise.all(others.map((load) => load()));
  }

  /** Loads the words of a language that the first page needs; the others follow. */
  async loadFirst(language: Language): Promise<void> {
    const load = loadersOf(language).get(FIRST);
    if (load === undefined) return;
    await this.#once(`${language} ${FIRST}`, async () => this.take(language, { [FIRST]: await load() }));
  }

  /** Loads what the board of a game says in a language once. */
  async loadBoard(game: string, language: Language): Promise<void> {
    const load = boardLoader(game, language);
    if (load === undefined) return;
    await this.#once(`${language} board ${game}`, async () => {
      const found = await load();
      this.#boards = { ...this.#boards, [language]: { ...this.#boards[language], ...found } };
    });
  }

  /** Does something once; again, when somebody asks, after it has failed. */
  #once(what: string, ask: () => Promise<void>): Promise<void> {
    let asked = this.#asked.get(what);
    if (asked === undefined) {
      asked = ask().catch(() => void this.#asked.delete(what));
      this.#asked.set(what, asked);
    }
    return asked;
  }

  /** Adds catalogues of a language, by feature. */
  take(language: Language, catalogues: Catalogues): void {
    this.#features = { ...this.#features, [language]: { ...this.#features[language], ...catalogues } };
  }

  /** Returns the words of a feature in a language, as far as they are there. */
  of(language: Language, feature: string): Catalogue {
    return this.#features[language]?.[feature] ?? {};
  }

  /** Returns a sentence of a board in a language: its own, that of the language's folder, or the English one. */
  sentence(language: Language, sentence: Sentence): string {
    const own: Readonly<Record<string, string | undefined>> = { ...sentence };
    return own[language] ?? this.#boards[language]?.[sentence.en] ?? sentence.en;
  }
}

export const words = new Words();
