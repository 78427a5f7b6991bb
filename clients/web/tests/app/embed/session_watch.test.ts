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
  atMs: String(version * 1000),
  session: { game: "einstein", state, title: "", seats: [] },
});

/** The answers of the server to calls, one after the other; the last one again and again. */
let answers: (readonly [number, object])[] = [];
const asked: unknown[] = [];
function answer(_address: string, { body }: { body: string }): Promise<Response> {
  asked.push(JSON.parse(body) as unknown);
  const [status, message] = (answers.length > 1 ? answers.shift() : answers[0]) ?? [500, {}];
  return Promise.resolve(new Response(JSON.stringify(message), { status }));
}

/** Follows a session until its newest picture has come, or has not. */
async function following(): Promise<void> {
  stop = follow("07abc", listener);
  await vi.advanceTimersByTimeAsync(0);
}

let visible: DocumentVisibilityState = "visible";
let stop: () => void = () => undefined;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Line);
  vi.stubGlobal("fetch", answer);
  answers = [[200, { update: update(2, "STATE_RUNNING") }]];
  asked.length = 0;
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
  it("watches as spectators do, without what it does not show, from the newest picture on", async () => {
    await following();
    const leaveOut = ["FIELD_ACTIONS", "FIELD_EVENTS", "FIELD_OPTIONS"];
    expect(asked).toEqual([{ sessionId: "07abc", leaveOut }]);
    expect([Line.last.address, Line.last.protocol]).toEqual([`ws://${location.host}/v1/connect`, "brettwerk.v1+json"]);
    Line.last.onopen();
    expect(Line.last.sent.map((text) => JSON.parse(text) as unknown)).toEqual([
      { id: 1, watch: { sessionId: "07abc", afterVersion: "2", afterAtMs: "2000", leaveOut } },
    ]);
    Line.last.say({ id: "1", watch: { update: update(3, "STATE_RUNNING") } });
    Line.last.onclose();
    await vi.advanceTimersByTimeAsync(1000);
    Line.last.onopen();
    expect(JSON.parse(Line.last.sent[0] ?? "")).toMatchObject({ watch: { afterVersion: "3", afterAtMs: "3000" } });
  });

  it("needs no line for a game that is over", async () => {
    answers = [[200, { update: update(9, "STATE_FINISHED") }]];
    await following();
    expect(listener.updated).toHaveBeenCalledOnce();
    expect(Line.all).toHaveLength(0);
  });

  it("is told pictures and what follows them, until the game is over", async () => {
    await following();
    const line = Line.last;
    line.onopen();
    line.say({ id: "1", watch: { resync: { update: update(3, "STATE_RUNNING") } } });
    line.say({ id: "1", watch: { heartbeat: {} } });
    line.say({ id: "1", watch: { update: update(4, "STATE_FINISHED") } });
    expect(listener.updated.mock.calls.map(([one]) => (one as Update).version)).toEqual(["2", "3", "4"]);
    expect(line.closed).toBe(true);
    vi.advanceTimersByTime(600_000);
    look("visible");
    expect(Line.all).toHaveLength(1);
  });

  it("comes back when its line is gone, or silent, and says so meanwhile", async () => {
    await following();
    Line.last.onclose();
    expect(listener.lost.mock.calls).toEqual([[false], [true]]);
    vi.advanceTimersByTime(1000);
    expect(Line.all).toHaveLength(2);
    Line.last.onopen();
    Line.last.say({ id: "1", watch: { heartbeat: {} } });
    expect(listener.lost).toHaveBeenLastCalledWith(false);
    vi.advanceTimersByTime(25_000 + 1000);
    expect([Line.all.length, Line.all[1]?.closed]).toEqual([3, true]);
  });

  it("asks more and more rarely for a server that is away", async () => {
    await following();
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

  it("rests while nobody can see it", async () => {
    visible = "hidden";
    await following();
    expect(asked).toHaveLength(0);
    look("visible");
    await vi.advanceTimersByTimeAsync(0);
    expect(Line.all).toHaveLength(1);
    look("hidden");
    vi.advanceTimersByTime(600_000);
    expect([Line.all.length, Line.last.closed]).toEqual([1, true]);
    look("visible");
    expect([asked.length, Line.all.length]).toEqual([1, 2]);
  });

  it("knows a game that is gone from a server that is busy", async () => {
    answers = [
      [503, { refusal: { reason: "REASON_FULL" } }],
      [404, { refusal: { reason: "REASON_UNKNOWN" } }],
    ];
    await following();
    expect(listener.lost.mock.calls).toEqual([[true]]);
    expect(listener.gone).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    expect(listener.gone).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(600_000);
    expect([asked.length, Line.all.length]).toEqual([2, 0]);
  });

  it("is told when a game goes away while it is watched", async () => {
    await following();
    Line.last.say({ id: "1", refusal: { reason: "REASON_FULL" } });
    expect(listener.gone).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    Line.last.say({ id: "1", refusal: { reason: "REASON_UNKNOWN" } });
    expect(listener.gone).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(600_000);
    expect(Line.all).toHaveLength(2);
  });
});
