/** A game on the page of somebody else: its board, who plays, and what happened last; once it is over it can be replayed. */
import { Throttle } from "../lobby/throttle";
import { readPast, readScene, readWords, type Scene, type Session, type Update } from "./answers";
import { kindOf, loadMaterials, type Materials } from "./materials";
import { draw } from "./mounted_board";
import { element, item, seatMark, type Page } from "./page";
import { Sentences } from "./sentences";
import { follow, isOver } from "./session_watch";
import type { Speech } from "./words";

/** Between two pictures, however fast computers play. */
const PICTURE_MS = 700;
/** The most kinds of words that the server is asked for at once. */
const MAX_KINDS = 32;

export class EmbeddedGame {
  readonly #id: string;
  readonly #speech: Speech;
  readonly #page: Page;
  readonly #pace = new Throttle<Update>(PICTURE_MS, (update) => this.#take(update));
  #newest: Update | undefined;
  #past: readonly Update[] | undefined;
  #at = 0;
  #materials: Materials | undefined;
  #kind: string | undefined;
  #scene: Scene | undefined;
  #described: Update | undefined;
  /** The kinds of words that have been read: how their keys begin. */
  readonly #read = new Set<string>();

  /** Fills the page with a session, and follows that until it is over. */
  constructor(session: string, speech: Speech, page: Page) {
    this.#id = session;
    this.#speech = speech;
    this.#page = page;
    page.begin(session, speech);
    page.notice(speech.say("loading"));
    page.replay.onclick = () => void this.#replay();
    page.back.onclick = () => this.#show(this.#at - 1);
    page.on.onclick = () => this.#show(this.#at + 1);
    page.position.oninput = () => this.#show(page.position.valueAsNumber);
    page.described.ontoggle = () => void this.#describe();
    // Numbers too small to be read are not drawn.
    new ResizeObserver(() => this.#draw()).observe(page.board);
    follow(session, {
      updated: (update) => this.#pace.take(update),
      lost: (isLost) => {
        if (this.#newest === undefined) page.notice(speech.say(isLost ? "lost" : "loading"));
        page.tell(page.lost, isLost && !this.#isOver ? speech.say("lost") : "");
      },
      gone: () => page.notice(speech.say("gone"), true),
    });
  }

  get #isOver(): boolean {
    return this.#newest !== undefined && isOver(this.#newest);
  }

  #take(update: Update): void {
    this.#newest = update;
    const { view, session } = update;
    const kind = kindOf(session.game, view);
    if (kind === this.#kind) return this.#update();
    this.#kind = kind;
    loadMaterials(session.game, this.#speech.language, view).then(
      (found) => {
        if (kind !== this.#kind) return;
        this.#materials = found;
        this.#read.clear();
        this.#page.tell(this.#page.failed, found.failed ? this.#speech.say("failed") : "");
        // A game whose board nobody has drawn in small is told in words.
        if (view !== undefined && found.small === undefined && !found.failed) this.#page.described.open = true;
        this.#update();
      },
      () => {
        this.#kind = undefined;
        this.#page.notice(this.#speech.say("failed"), true);
      },
    );
  }

  /** Returns what is shown now. */
  get #shown(): Update | undefined {
    return this.#past?.[this.#at] ?? this.#newest;
  }

  #show(at: number): void {
    this.#at = at;
    this.#update();
  }

  /** Brings everything on the page up to date. */
  #update(): void {
    const [shown, materials, session] = [this.#shown, this.#materials, this.#newest?.session];
    if (shown === undefined || materials === undefined || session === undefined) return;
    const { say } = this.#speech;
    const [page, sentences, over] = [this.#page, new Sentences(this.#speech, materials.game), this.#isOver];
    page.notice("");
    page.title.textContent = session.title || sentences.name(session);
    page.state.textContent = say(over ? "over" : "live");
    page.state.classList.toggle("live", !over);
    page.players.replaceChildren(...session.seats.map((_, seat) => this.#player(session, seat, shown, sentences)));

    const count = this.#past?.length ?? 1;
    const sentence = sentences.picture(shown, session, this.#past === undefined || this.#at === count - 1);
    page.sentence.textContent = sentence;
    page.board.ariaLabel = `${sentences.name(session)}. ${sentence}`;
    page.board.dataset["version"] = shown.version;
    page.board.hidden = shown.view === undefined || materials.small === undefined;
    this.#draw();

    page.replay.hidden = !over || this.#past !== undefined || shown.view === undefined;
    page.replayed.hidden = this.#past === undefined;
    page.position.max = String(count - 1);
    page.position.value = String(this.#at);
    page.position.ariaValueText = say("at", { number: this.#at + 1, count });
    page.back.disabled = this.#at === 0;
    page.on.disabled = this.#at === count - 1;
    page.described.hidden = shown.view === undefined;
    void this.#describe();
  }

  #player(session: Session, seat: number, shown: Update, sentences: Sentences): HTMLElement {
    const acts = shown.toAct.includes(seat) && !this.#isOver;
    const name = element("span", sentences.seat(seat), "muted");
    if (acts) name.append(element("span", `, ${this.#speech.say("acts")}`, "hidden"));
    const mark = seatMark(this.#materials?.game.game.seats[seat]?.colour ?? "");
    return item(acts ? "acts" : "", mark, `${sentences.player(session, seat)} `, name);
  }

  #draw(): void {
    const [shown, materials, { board }] = [this.#shown, this.#materials, this.#page];
    if (shown?.view === undefined || materials?.small === undefined) return;
    const props = {
      view: materials.read(shown.view),
      colours: materials.game.game.seats.map(({ colour }) => colour),
      board: materials.small.board,
      width: board.clientWidth,
      height: board.clientHeight,
    };
    draw(materials.small, props, board);
  }

  async #replay(): Promise<void> {
    if (this.#newest === undefined) return;
    const { replay, failed, position } = this.#page;
    replay.disabled = true;
    this.#page.tell(failed, "");
    try {
      const found = await readPast(this.#id, Number(this.#newest.version));
      if (found.length > 0) [this.#past, this.#at] = [found, 0];
      this.#update();
      position.focus();
    } catch {
      this.#page.tell(failed, this.#speech.say("failed"));
    }
    replay.disabled = false;
  }

  #describing = false;
  /** Describes what is shown, one picture after the other, as long as somebody reads it. */
  async #describe(): Promise<void> {
    if (this.#describing) return;
    this.#describing = true;
    const { described } = this.#page;
    while (described.open && this.#shown?.view !== undefined && this.#shown !== this.#described) {
      this.#described = this.#shown;
      this.#scene = await this.#sceneOf(this.#shown).catch(() => undefined);
      this.#tellScene();
    }
    this.#describing = false;
  }

  /** Returns the scene of an update, once its words are there. */
  async #sceneOf({ view = {}, session: { game } }: Update): Promise<Scene> {
    const scene = await readScene(game, view);
    const known = this.#materials?.game;
    if (known === undefined) return scene;
    const texts = [...scene.places, ...scene.facts].flatMap((each) => [
      each.label,
      "value" in each ? each.value : undefined,
    ]);
    const missing = texts.flatMap((text) => (text === undefined || text.key in known.catalogue ? [] : [text.key]));
    // The words of one kind are read together, and once: most of them are needed for the next picture.
    const kinds = [...new Set(missing.map((key) => key.slice(0, key.indexOf(".") + 1) || key))];
    const unread = kinds.filter((kind) => !this.#read.has(kind)).slice(0, MAX_KINDS);
    if (unread.length === 0) return scene;
    Object.assign(known.catalogue, await readWords(game, this.#speech.language, unread));
    for (const kind of unread) this.#read.add(kind);
    return scene;
  }

  #tellScene(): void {
    const [page, scene, materials] = [this.#page, this.#scene, this.#materials];
    if (materials === undefined) return;
    const sentences = new Sentences(this.#speech, materials.game);
    const places = scene?.places.filter(({ things }) => things.length > 0) ?? [];
    page.places.replaceChildren(...places.map(({ label }) => element("li", sentences.text(label))));
    page.facts.replaceChildren(
      ...(scene?.facts ?? []).map(({ label, value }) => {
        const row = document.createElement("div");
        row.append(element("dt", sentences.text(label)), element("dd", sentences.text(value)));
        return row;
      }),
    );
    page.tell(page.wordless, scene === undefined ? this.#speech.say("words.none") : "");
  }
}
