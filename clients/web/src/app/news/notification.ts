/** Notifications of the browser: shown for news while the player looks elsewhere, where they have allowed it. */
import { News_Kind, type News } from "@brettwerk/client/v1/news";
import { games } from "../games.svelte";
import { settings } from "../settings.svelte";
import { registerWorker } from "../worker";
import { say } from "./words";

const sentences: Partial<Record<News_Kind, (news: News) => string>> = {
  [News_Kind.YOUR_TURN]: () => say("turn"),
  [News_Kind.NUDGED]: () => say("nudged"),
  [News_Kind.SEAT_TAKEN]: () => say("taken"),
  [News_Kind.PROPOSED]: () => say("proposed"),
  [News_Kind.GAME_OVER]: () => say("over"),
  [News_Kind.VACATION_BEGUN]: () => say("vacation"),
  [News_Kind.SEAT_OFFERED]: () => say("seat.offered"),
  [News_Kind.SUBSTITUTE_ASKED]: () => say("substitute.asked"),
  [News_Kind.SUBSTITUTED]: () => say("substituted"),
  [News_Kind.SUBSTITUTE_REFUSED]: () => say("substitute.refused"),
  [News_Kind.SEAT_LOST]: () => say("seat.lost"),
  [News_Kind.RULED]: ruledText,
  [News_Kind.INVITED]: () => say("invited"),
  [News_Kind.CHALLENGED]: () => say("challenged"),
  [News_Kind.CHALLENGE_ANSWERED]: () => say("answered"),
  [News_Kind.PAIRED]: () => say("paired"),
  [News_Kind.ROUND]: () => say("round"),
  [News_Kind.TOURNAMENT_OVER]: () => say("tournament.over"),
  [News_Kind.TOURNAMENT_CANCELLED]: () => say("tournament.cancelled"),
  [News_Kind.ROUND_WAITS]: () => say("round.waits"),
  [News_Kind.CLUB_CHALLENGED]: () => say("club.challenged"),
  [News_Kind.CLUB_CHALLENGE_ANSWERED]: () => say("club.answered"),
  [News_Kind.REPORT_SEEN]: () => say("moderation.report_seen"),
  [News_Kind.WARNED]: () => say("moderation.warned"),
  [News_Kind.MUTED]: () => say("moderation.muted"),
  [News_Kind.UNMUTED]: () => say("moderation.unmuted"),
  [News_Kind.SUSPENDED]: () => say("moderation.suspended"),
  [News_Kind.UNSUSPENDED]: () => say("moderation.unsuspended"),
  [News_Kind.RENAMED]: () => say("moderation.renamed"),
  [News_Kind.WEBHOOK_OFF]: () => say("webhook.off"),
};

/** Returns what an arbiter has ruled, and why. */
export function ruledText({ ruling }: News): string {
  const reason = ruling?.reason ?? "";
  switch (ruling?.kind.case) {
    case "pause":
      return say(ruling.kind.value ? "ruled.stopped" : "ruled.restarted", { reason });
    case "givenTime":
      return say("ruled.time", { reason });
    case "forfeitedSeat":
      return say("ruled.forfeited", { reason });
    case "draw":
    case "ranking":
      return say("ruled.decided", { reason });
    default:
      return say("ruled");
  }
}

/** Whether this browser can show notifications for pages of this address. */
export function canNotify(): boolean {
  return "Notification" in window && "serviceWorker" in navigator;
}

/** Whether the player wants notifications, and the browser lets us show them. */
export function isNotifying(): boolean {
  return settings.notify && canNotify() && Notification.permission === "granted";
}

/** Asks for leave to show notifications, at a click of the player's. Returns whether they will be shown. */
export async function startNotifying(): Promise<boolean> {
  if (!canNotify() || (await Notification.requestPermission()) !== "granted") return false;
  try {
    await registerWorker();
  } catch {
    return false;
  }
  return (settings.notify = true);
}

/** Where the page of news is; challenges are answered on the first page. */
function pathOf({ kind, sessionId, tournamentId }: News): string {
  if (kind === News_Kind.WEBHOOK_OFF || (kind >= News_Kind.REPORT_SEEN && kind <= News_Kind.RENAMED)) return "/account";
  if (sessionId !== "") return `/s/${sessionId}`;
  return tournamentId === "" ? "/" : `/tournament/${tournamentId}`;
}

/** Shows news, unless the player looks at the page. A table has one notification at a time, however many tabs there are. */
export async function notify(news: News): Promise<void> {
  const sentence = sentences[news.kind];
  if (sentence === undefined || !isNotifying() || document.hasFocus()) return;
  await games.load().catch(() => undefined);
  const worker = await registerWorker();
  await worker.showNotification(news.title || games.nameOf(news.game) || "Brettwerk", {
    body: sentence(news),
    tag: news.sessionId || news.challengeId || news.tournamentId || "account",
    icon: "/favicon.svg",
    data: { path: pathOf(news) },
  });
}
