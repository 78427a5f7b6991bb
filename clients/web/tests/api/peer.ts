/** A server of the test's own that speaks the frames of /v1/connect over real sockets, and does what the test tells it to. */
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { Client, type Surroundings } from "../../src/api/client";
import type { Socket } from "@brettwerk/client/wire";
import type { Reason } from "@brettwerk/client/v1/errors";
import {
  ConnectRequestSchema,
  ConnectResponseSchema,
  Resync_Cause,
  type ConnectRequest,
  type WatchRequest,
} from "@brettwerk/client/v1/play";
import { memory } from "../../src/api/storage";
import { Wallet } from "../../src/api/wallet";

type Response = NonNullable<Extract<MessageInitShape<typeof ConnectResponseSchema>, { $typeName?: never }>["kind"]>;

/** A request that the peer got, and the ways to answer it. */
export class Got {
  constructor(
    readonly request: ConnectRequest,
    readonly socket: WebSocket,
  ) {}

  get case(): string | undefined {
    const { kind } = this.request;
    return kind.case === "call" ? kind.value.request.case : kind.case;
  }

  get watch(): WatchRequest {
    if (this.request.kind.case !== "watch") throw new Error(`${this.case} is no watch`);
    return this.request.kind.value;
  }

  /** The request id of a write. */
  get requestId(): string {
    const { kind } = this.request;
    const value = kind.case === "call" ? kind.value.request.value : undefined;
    return value !== undefined && "requestId" in value ? value.requestId : "";
  }

  say(kind: Response): void {
    const frame = create(ConnectResponseSchema, { id: this.request.id, kind });
    this.socket.send(toBinary(ConnectResponseSchema, frame));
  }

  answer(): void {
    this.say({ case: "answer", value: {} });
  }

  refuse(reason: Reason, retryAfterMs = 0): void {
    this.say({ case: "refusal", value: { reason, retryAfterMs } });
  }

  update(version: bigint): void {
    this.say({ case: "watch", value: { kind: { case: "update", value: { version } } } });
  }

  resync(version: bigint, cause = Resync_Cause.UNSPECIFIED): void {
    this.say({ case: "watch", value: { kind: { case: "resync", value: { cause, update: { version } } } } });
  }

  heartbeat(headVersion: bigint): void {
    this.say({ case: "watch", value: { kind: { case: "heartbeat", value: { headVersion } } } });
  }
}

export class Peer {
  readonly #server: WebSocketServer;
  readonly #got: Got[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #clients: Client[] = [];
  #taken = 0;
  /** How many sockets were opened. */
  sockets = 0;

  private constructor(server: WebSocketServer) {
    this.#server = server;
    server.on("connection", (socket: WebSocket) => {
      this.sockets++;
      socket.on("message", (data: Buffer) => {
        this.#got.push(new Got(fromBinary(ConnectRequestSchema, new Uint8Array(data)), socket));
        for (const wake of this.#waiting.splice(0)) wake();
      });
    });
  }

  static open(): Promise<Peer> {
    return new Promise((resolve) => {
      const server = new WebSocketServer({ port: 0, host: "127.0.0.1", path: "/v1/connect" });
      server.on("listening", () => resolve(new Peer(server)));
    });
  }

  /** Returns the next request, in the order they came; waits for it. */
  async next(expected?: string): Promise<Got> {
    while (this.#taken >= this.#got.length) await new Promise<void>((wake) => this.#waiting.push(wake));
    const got = this.#got[this.#taken++];
    if (got === undefined) throw new Error("nothing came");
    if (expected !== undefined && got.case !== expected) throw new Error(`${got.case} came instead of ${expected}`);
    return got;
  }

  /** How many requests came that no `next` has taken. */
  get untaken(): number {
    return this.#got.length - this.#taken;
  }

  /** Breaks every socket, as a failing network does. */
  cut(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }

  /** Closes every socket, as a server does that ends in order while others are there. */
  leave(): void {
    for (const socket of this.#server.clients) socket.close(1001);
  }

  /** Returns a socket to this peer. */
  socket(): Socket {
    const { port } = this.#server.address() as AddressInfo;
    return new WebSocket(`ws://127.0.0.1:${port}/v1/connect`) as unknown as Socket;
  }

  /** Returns a started client of this peer; what is kept in `kept` outlives it. */
  client(kept: Partial<Surroundings> = {}): Client {
    const client = new Client({
      open: () => this.socket(),
      random: () => 0,
      backoffRange: { first: 4, most: 40 },
      wallet: new Wallet(memory()),
      outbox: memory(),
      opening: 60_000,
      silenceTimeout: 60_000,
      late: 60_000,
      guestName: () => "Guest",
      ...kept,
    });
    this.#clients.push(client);
    client.start();
    return client;
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.stop();
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
