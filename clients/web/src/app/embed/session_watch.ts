/**
 * A session as spectators see it: its newest picture by a call, whose answer is compressed, and what follows over a WebSocket in JSON
 * that comes back. It rests while nobody can see the page.
 */
import { backoff } from "@brettwerk/client/wire";
import { readNewest, Refused, UNSEEN, type Update, type WatchMessage } from "./answers";

const RANGE = { first: 1000, most: 60_000 };
/** The server says something every few seconds; a line that is silent for longer is dead. */
const SILENCE_MS = 25_000;
/** Refusals that stay: there is no such session. */
const FINAL = new Set(["REASON_UNKNOWN", "REASON_MALFORMED"]);
const OVER = new Set(["STATE_FINISHED", "STATE_CLOSED"]);

/** The listener to a session. */
export interface Listener {
  updated(update: Update): void;
  /** Whether what was shown last may be old. */
  lost(isLost: boolean): void;
  gone(): void;
}

/** Whether nothing will happen any more after an update. */
export function isOver({ session }: Update): boolean {
  return OVER.has(session.state);
}

/** Follows a session until it is over. Returns what ends that. */
export function follow(session: string, listener: Listener): () => void {
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/v1/connect`;
  let newest: Update | undefined;
  let asking = false;
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let done = false;

  function open(): void {
    clearTimeout(timer);
    if (done || asking || socket !== undefined || document.visibilityState === "hidden") return;
    if (newest === undefined) void ask();
    else watch(newest);
  }

  async function ask(): Promise<void> {
    asking = true;
    const answer = await readNewest(session).catch((error: unknown) => (error instanceof Refused ? error.reason : ""));
    asking = false;
    if (done) return;
    if (typeof answer === "string") return refused(answer);
    attempt = 0;
    listener.lost(false);
    updated(answer);
    open();
  }

  function watch({ version, atMs }: Update): void {
    const opened = (socket = new WebSocket(address, "brettwerk.v1+json"));
    opened.onopen = () => {
      const watched = { sessionId: session, afterVersion: version, afterAtMs: atMs, leaveOut: UNSEEN };
      opened.send(JSON.stringify({ id: 1, watch: watched }));
      expect();
    };
    opened.onmessage = ({ data }: MessageEvent<string>) => {
      if (socket !== opened) return;
      expect();
      take(JSON.parse(data) as WatchMessage);
    };
    opened.onclose = () => {
      if (socket === opened) again();
    };
    expect();
  }

  function take({ watch, refusal }: WatchMessage): void {
    if (refusal !== undefined) return refused(refusal.reason);
    if (watch === undefined) return;
    attempt = 0;
    listener.lost(false);
    const update = watch.update ?? watch.resync?.update;
    if (update !== undefined) updated(update);
  }

  function updated(update: Update): void {
    newest = update;
    listener.updated(update);
    if (isOver(update)) end();
  }

  function refused(reason: string): void {
    if (!FINAL.has(reason)) return again();
    end();
    listener.gone();
  }

  /** Waits for the next message, and begins anew when none comes. */
  function expect(): void {
    clearTimeout(timer);
    timer = setTimeout(again, SILENCE_MS);
  }

  function again(): void {
    close();
    listener.lost(true);
    timer = setTimeout(open, backoff(attempt++, RANGE, Math.random));
  }

  function close(): void {
    clearTimeout(timer);
    const closed = socket;
    socket = undefined;
    closed?.close();
  }

  function seen(): void {
    if (document.visibilityState === "hidden") close();
    else open();
  }

  function end(): void {
    done = true;
    close();
    document.removeEventListener("visibilitychange", seen);
  }

  document.addEventListener("visibilitychange", seen);
  open();
  return end;
}
