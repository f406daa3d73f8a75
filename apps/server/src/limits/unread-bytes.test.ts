import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { endsOf } from "./send-queues.ts";
import { pieceBytes, type ReaderSocket, UnreadBytes } from "./unread-bytes.ts";

const mib = 1024 ** 2;
const port = 8080;

class Client {
  readonly socket: ReaderSocket & { bytesWritten: number; destroyed: boolean };
  readonly address: string;
  queued = 0;
  constructor(number: number, address: string) {
    this.address = address;
    const remotePort = 10_000 + number;
    const ends = { localAddress: "192.0.2.1", localPort: port, remoteAddress: address, remotePort };
    this.socket = { ...ends, bytesWritten: 0, writableLength: 0, destroyed: false };
  }
  /** The system takes all that it is sent. */
  send(bytes: number) {
    this.queued += bytes;
    this.socket.bytesWritten += bytes;
  }
  read(bytes = this.queued) {
    this.queued -= bytes;
  }
  end() {
    this.queued = 0;
    this.socket.destroyed = true;
  }
}

function setUp(isShown = true) {
  const clock = new ManualClock();
  const clients: Client[] = [];
  /** Of connections that were closed. */
  let left = 0;
  const queueOf = ({ socket, queued }: Client) => ({
    ...{ localPort: port, remotePort: socket.remotePort ?? 0, ends: endsOf(socket), bytes: queued },
  });
  const unread = new UnreadBytes(clock, async () =>
    isShown
      ? [
          ...clients.map(queueOf).filter(({ bytes }) => bytes > 0),
          { localPort: port, remotePort: 1, ends: "closed", bytes: left },
        ]
      : undefined,
  );
  unread.serves(port);
  unread.watch(() => clients.map((client) => ({ ...client, end: () => client.end() })));
  const connect = (address = "203.0.113.1") => {
    const client = new Client(clients.length, address);
    clients.push(client);
    return client;
  };
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    unread,
    connect,
    settle,
    leave: (bytes: number) => {
      left = bytes;
    },
    async pass(durationMs: number) {
      for (let passed = 0; passed < durationMs; passed += 100) {
        clock.advance(100);
        await settle();
      }
    },
    /** @returns whether it was sent at once. */
    async send(client: Client, bytes = pieceBytes) {
      let isSent = false;
      const sent = unread.reserve(client.socket, bytes).then(() => {
        isSent = true;
        client.send(bytes);
      });
      await settle();
      return { isSent: () => isSent, sent };
    },
  };
}

describe("unread bytes", () => {
  it("keep nobody waiting while they are few in all", async () => {
    const { connect, send } = setUp();
    const client = connect();
    for (let sent = 0; sent < 15 * mib; sent += pieceBytes) expect((await send(client)).isSent()).toBe(true);
  });

  it("of one connection keep only it waiting, until it has read, once they are many in all", async () => {
    const { connect, send, pass } = setUp();
    const [silent, other] = [connect(), connect("203.0.113.2")];
    await send(silent, 16 * mib);
    const more = await send(silent);
    await pass(1_000);
    expect(more.isSent()).toBe(false);
    expect((await send(other)).isSent()).toBe(true);
    silent.read();
    await pass(100);
    expect(more.isSent()).toBe(true);
  });

  it("of closed connections count too", async () => {
    const { connect, send, pass, leave } = setUp();
    const client = connect();
    leave(16 * mib);
    await send(client);
    await pass(10_000);
    expect((await send(client)).isSent()).toBe(false);
  });

  it("end connections when they are too many for 2 s, those of the address with most first", async () => {
    const { connect, send, pass } = setUp();
    const honest = [connect("203.0.113.2"), connect("203.0.113.3")];
    for (const client of honest) await send(client, 6 * mib);
    const greedy = Array.from({ length: 6 }, () => connect("203.0.113.1"));
    for (const client of greedy) await send(client, 9 * mib);
    const late = connect("203.0.113.4");
    const waiting = await send(late);
    expect(waiting.isSent()).toBe(false);
    await pass(3_000);
    expect(waiting.isSent()).toBe(true);
    expect(honest.map(({ socket }) => socket.destroyed)).toEqual([false, false]);
    expect(greedy.filter(({ socket }) => socket.destroyed)).toHaveLength(2);
  });

  it("end connections that read, but too little for the others", async () => {
    const { connect, send, pass } = setUp();
    const greedy = Array.from({ length: 7 }, () => connect("203.0.113.1"));
    for (const client of greedy) await send(client, 9 * mib);
    const late = await send(connect("203.0.113.4"), 2 * mib);
    await late.sent;
    const waiting = await send(connect("203.0.113.5"));
    for (let passed = 0; passed < 60; passed++) {
      for (const client of greedy) if (client.queued > 0) client.read(100);
      await pass(100);
    }
    expect(waiting.isSent()).toBe(true);
    expect(greedy.some(({ socket }) => socket.destroyed)).toBe(true);
  });

  it("end a connection that has read nothing for 30 s, and none that reads slowly", async () => {
    const { connect, send, pass } = setUp();
    const [silent, slow] = [connect(), connect()];
    await send(silent);
    await send(slow);
    for (let passed = 0; passed < 45; passed++) {
      slow.read(100);
      await pass(1_000);
    }
    expect([silent.socket.destroyed, slow.socket.destroyed]).toEqual([true, false]);
  });

  it("keep a connection that ends open until it has read them, or for 30 s", async () => {
    const { unread, connect, send, pass } = setUp();
    const [silent, slow] = [connect(), connect()];
    await send(silent);
    await send(slow);
    const over: Client[] = [];
    void unread.allRead(silent.socket).then(() => over.push(silent));
    void unread.allRead(slow.socket).then(() => over.push(slow));
    await pass(5_000);
    expect(over).toEqual([]);
    slow.read();
    await pass(1_000);
    expect(over).toEqual([slow]);
    expect(silent.socket.destroyed).toBe(false);
    await pass(30_000);
    expect(over).toEqual([slow, silent]);
    expect(silent.socket.destroyed).toBe(true);
  });

  it("let small answers of a connection without any come first", async () => {
    const { unread, connect, send } = setUp();
    const [greedy, probe] = [connect(), connect()];
    await send(greedy, 64 * mib);
    expect((await send(connect())).isSent()).toBe(false);
    await unread.reserve(probe.socket, 2_048, true);
  });

  it("are only those that Node holds where the system does not show its queues", async () => {
    const { connect, send, pass } = setUp(false);
    const client = connect();
    await send(client, 64 * mib);
    const more = await send(client);
    await pass(100);
    expect(more.isSent()).toBe(true);
  });

  it("keep nobody waiting when the server stops, or for a client that is gone", async () => {
    const { unread, connect, send, pass } = setUp();
    const [greedy, gone] = [connect(), connect()];
    await send(greedy, 64 * mib);
    const { sent } = await send(gone);
    gone.end();
    await pass(100);
    await sent;
    const waiting = await send(connect());
    unread.close();
    await waiting.sent;
  });
});
