import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Update } from "../../../src/app/embed/answers";
import { follow } from "../../../src/app/embed/session_watch";

/** A WebSocket whose other end is the test. */
class Line {
  static all: Line[] = [];
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: () => void = () => undefined;
  readonly sent: string[] = [];
  closed = false;

  constructor(
    readonly address: string,
    readonly protocol: string,
  ) {
    Line.all.push(this);
  }
  static get last(): Line {
    const line = Line.all.at(-1);
    if (line === undefined) throw new Error("nobody has called");
    return line;
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.closed = true;
  }
  say(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

const listener = { updated: vi.fn(), lost: vi.fn(), gone: vi.fn() };
const update = (version: number, state: string): Partial<Update> => ({
  version: String(version),
  session: { game: "einstein", state, title: "", seats: [] },
});
let visible: DocumentVisibilityState = "visible";
let stop: () => void = () => undefined;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Line);
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visible);
});
afterEach(() => {
  stop();
  Line.all = [];
  visible = "visible";
  vi.clearAllMocks();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function look(state: DocumentVisibilityState): void {
  visible = state;
  document.dispatchEvent(new Event("visibilitychange"));
}

describe("a board on another page", () => {
  it("watches as spectators do, without what it does not show", () => {
    stop = follow("07abc", listener);
    expect([Line.last.address, Line.last.protocol]).toEqual([`ws://${location.host}/v1/connect`, "brettwerk.v1+json"]);
    Line.last.onopen();
    expect(Line.last.sent.map((text) => JSON.parse(text) as unknown)).toEqual([
      { id: 1, watch: { sessionId: "07abc", leaveOut: ["FIELD_ACTIONS", "FIELD_EVENTS", "FIELD_OPTIONS"] } },
    ]);
  });

  it("is told pictures and what follows them, until the game is over", () => {
    stop = follow("07abc", listener);
    const line = Line.last;
    line.onopen();
    line.say({ id: "1", watch: { resync: { update: update(3, "STATE_RUNNING") } } });
    line.say({ id: "1", watch: { heartbeat: {} } });
    line.say({ id: "1", watch: { update: update(4, "STATE_FINISHED") } });
    expect(listener.updated.mock.calls.map(([one]) => (one as Update).version)).toEqual(["3", "4"]);
    expect(line.closed).toBe(true);
    vi.advanceTimersByTime(600_000);
    look("visible");
    expect(Line.all).toHaveLength(1);
  });

  it("comes back when its line is gone, or silent, and says so meanwhile", () => {
    stop = follow("07abc", listener);
    Line.last.onclose();
    expect(listener.lost.mock.calls).toEqual([[true]]);
    vi.advanceTimersByTime(1000);
    expect(Line.all).toHaveLength(2);
    Line.last.onopen();
    Line.last.say({ id: "1", watch: { heartbeat: {} } });
    expect(listener.lost).toHaveBeenLastCalledWith(false);
    vi.advanceTimersByTime(25_000 + 1000);
    expect([Line.all.length, Line.all[1]?.closed]).toEqual([3, true]);
  });

  it("asks more and more rarely for a server that is away", () => {
    stop = follow("07abc", listener);
    for (let minute = 0; minute < 60; minute++) {
      Line.last.onclose();
      vi.advanceTimersByTime(60_000);
    }
    const before = Line.all.length;
    expect(before).toBeLessThanOrEqual(70);
    Line.last.onclose();
    vi.advanceTimersByTime(29_000);
    expect(Line.all).toHaveLength(before);
  });

  it("rests while nobody can see it", () => {
    visible = "hidden";
    stop = follow("07abc", listener);
    expect(Line.all).toHaveLength(0);
    look("visible");
    expect(Line.all).toHaveLength(1);
    look("hidden");
    vi.advanceTimersByTime(600_000);
    expect([Line.all.length, Line.last.closed]).toEqual([1, true]);
    look("visible");
    expect(Line.all).toHaveLength(2);
  });

  it("knows a game that is gone from a server that is busy", () => {
    stop = follow("07abc", listener);
    Line.last.say({ id: "1", refusal: { reason: "REASON_FULL" } });
    expect(listener.gone).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    Line.last.say({ id: "1", refusal: { reason: "REASON_UNKNOWN" } });
    expect(listener.gone).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(600_000);
    expect(Line.all).toHaveLength(2);
  });
});
