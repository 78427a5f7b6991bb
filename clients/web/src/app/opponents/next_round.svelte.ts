/** The newest game of a tournament that waits for the player at a table. */
import type { News } from "@brettwerk/client/v1/news";
import { company } from "../company.svelte";

class NextRound {
  news = $state.raw<News | undefined>();

  /** Shows news of a round. */
  take(news: News): void {
    this.news = news;
    company.wanted = true;
  }

  /** Shows it no longer. */
  close(): void {
    this.news = undefined;
  }
}

export const nextRound = new NextRound();
