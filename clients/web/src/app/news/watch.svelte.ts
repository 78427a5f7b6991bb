/** Follows what concerns the player while the page is open: the tab shows it, and the browser tells it. */
import { untrack } from "svelte";
import { News_Kind, type News } from "@brettwerk/client/v1/news";
import { NewsWatch } from "@brettwerk/client/wire";
import { challenges } from "../opponents/challenges.svelte";
import { nextRound } from "../opponents/next_round.svelte";
import { router } from "../router.svelte";
import { connection, server } from "../server.svelte";
import { t } from "../text/text.svelte";
import { canNotify, notify } from "./notification";
import { TabMarks } from "./tab_marks";
import { turns } from "./turns.svelte";

/** News after which challenges are another than before. */
const CHALLENGES: ReadonlySet<News_Kind> = new Set([
  News_Kind.CHALLENGED,
  News_Kind.CHALLENGE_ANSWERED,
  News_Kind.CHALLENGE_WITHDRAWN,
]);

class Following {
  #watch: NewsWatch | undefined;
  #end: (() => void) | undefined;
  #player = "";
  #token = "";

  /** Follows the player who is there now; a new token of the same player goes on where the last one came to. */
  begin(): void {
    const { id = "", token = "" } = server.wallet.player ?? {};
    if (token === this.#token) return;
    this.#end?.();
    if (this.#watch === undefined || id !== this.#player) this.#watch = this.#newWatch();
    [this.#player, this.#token] = [id, token];
    void challenges.load();
    this.#end = token === "" ? undefined : server.follow(this.#watch);
    void turns.load();
    if (token !== "") void keepPush().catch(() => undefined);
  }

  #newWatch(): NewsWatch {
    return new NewsWatch({
      received: (news) => this.#received(news),
      begun: () => void turns.load(),
      ended: () => (this.#token = ""),
    });
  }

  #received(news: News): void {
    void turns.load();
    if (CHALLENGES.has(news.kind)) void challenges.load();
    if (news.kind === News_Kind.ROUND) nextRound.take(news);
    notify(news).catch(() => undefined);
  }
}

/** Looks after push messages where this browser may get any; what does so is no part of the first page. */
async function keepPush(): Promise<void> {
  if (!canNotify() || Notification.permission !== "granted") return;
  await (await import("../notifications/push")).keepPush();
}

let started = false;

/** Begins, once. */
export function followNews(): void {
  if (started) return;
  started = true;
  const following = new Following();
  const marks = new TabMarks();
  marks.start();
  server.onPlayer(() => following.begin());
  $effect.root(() => {
    $effect(() => {
      // At a table nothing of it is news; who leaves it has perhaps played there.
      if (router.path === "" || connection.state !== "open") return;
      untrack(() => void turns.load());
    });
    $effect(() => marks.mark(turns.count, t("turn.mine")));
  });
  following.begin();
}
