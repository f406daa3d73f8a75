import { createHash } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type ClientFrame, decodeServerFrame, signallingSubprotocol } from "@warren/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { testClientId } from "../src/testing/test-client.ts";
import { type ServerNode, startNode } from "./cluster.ts";
import { ScriptedClient } from "./scripted-client.ts";

const attackMs = 8_000;
const tagOf = (name: string) => createHash("sha256").update(`attack ${name}`).digest("base64url");

let node: ServerNode;
let honest: ScriptedClient[] = [];
let quietP99Ms = Number.NaN;

/** Each attacker has its own address, so that it uses up no limits of the honest clients on this machine. */
function attack(address: string, origin = "http://warren.test", autoPong = true): WebSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${node.port}/ws`, signallingSubprotocol, {
    ...{ localAddress: address, origin, autoPong, perMessageDeflate: false },
  });
  socket.on("error", () => {});
  return socket;
}

const opened = (socket: WebSocket) =>
  new Promise<boolean>((resolve) => {
    socket.on("open", () => resolve(true));
    socket.on("close", () => resolve(false));
  });
const closed = (socket: WebSocket) =>
  new Promise<number>((resolve) => {
    if (socket.readyState === WebSocket.CLOSED) resolve(0);
    socket.on("close", resolve);
  });

/** Whether an attacker may open a room. */
function enters(socket: WebSocket, number: number): Promise<boolean> {
  const send = (frame: ClientFrame) => socket.send(JSON.stringify(frame));
  return new Promise<boolean>((resolve) => {
    socket.on("close", () => resolve(false));
    socket.on("message", (data) => {
      const frame = decodeServerFrame(String(data));
      if (!frame.ok || frame.value.type === "error") return resolve(false);
      if (frame.value.type === "joined") resolve(true);
      if (frame.value.type === "challenge") {
        const clientId = testClientId(number);
        send({ type: "hello", version: 4, clientId, server: "wss://warren.test", publicKey: "", proof: "" });
      }
      if (frame.value.type === "welcome")
        send({ type: "join", room: tagOf(`room ${number}`), locked: false });
    });
  });
}

/** Signals of honest members, ten a second each, until a promise is settled: none may get lost. */
async function latenciesDuring(attacking: Promise<unknown>): Promise<number> {
  const latenciesMs: number[] = [];
  let isOver = false;
  const ended = attacking.finally(() => {
    isOver = true;
  });
  await Promise.all(
    honest.map(async (from, index) => {
      const to = honest[index % 5 === 4 ? index - 4 : index + 1];
      if (!to) return;
      await sleep(index * 5);
      while (!isOver) {
        const sentAt = performance.now();
        await new Promise<void>((resolve) => {
          to.onSignal = resolve;
          from.signal(to.clientId);
        });
        latenciesMs.push(performance.now() - sentAt);
        await sleep(100);
      }
    }),
  );
  await ended;
  expect(honest.every(({ isIn }) => isIn)).toBe(true);
  expect(honest.flatMap(({ left }) => left)).toEqual([]);
  latenciesMs.sort((one, other) => one - other);
  return latenciesMs[Math.floor(0.99 * (latenciesMs.length - 1))] ?? Number.NaN;
}

async function report(name: string, attacking: Promise<string>): Promise<void> {
  const p99Ms = await latenciesDuring(attacking);
  process.stdout.write(
    `${name}: ${await attacking}; honest p99 ${p99Ms.toFixed(1)} ms (${quietP99Ms.toFixed(1)} before)\n`,
  );
}

beforeAll(async () => {
  // Five times the usual limits for either address of this machine.
  node = await startNode([], {
    PRIVATE_ADDRESS_FACTOR: "5",
    MAX_SOCKETS_PER_ADDRESS: "20",
    MAX_NEW_SOCKETS_PER_SECOND: "5",
    MAX_NEW_ROOMS_PER_10_MIN: "20",
  });
  honest = Array.from(
    { length: 50 },
    (_, number) => new ScriptedClient(tagOf(String(Math.floor(number / 5))), () => node.port),
  );
  for (const client of honest) client.open();
  while (!honest.every(({ isIn, members }) => isIn && members.size === 4)) await sleep(50);
  await latenciesDuring(sleep(2_000));
  quietP99Ms = await latenciesDuring(sleep(attackMs));
});
afterAll(async () => {
  for (const client of honest) client.vanish();
  await node.kill();
});

it("requests sent byte by byte and silent connections are closed within 7 s", async () => {
  const lives = Array.from({ length: 100 }, async (_, number) => {
    const socket = connect({ host: "127.0.0.1", port: node.port, localAddress: "127.0.0.2" });
    socket.on("error", () => {});
    const openedAt = performance.now();
    const drip = setInterval(() => number % 2 === 0 && socket.write("G"), 500);
    socket.write(number % 2 === 0 ? "GET / HTTP/1.1\r\nX-" : "");
    await new Promise((resolve) => socket.resume().on("close", resolve));
    clearInterval(drip);
    return performance.now() - openedAt;
  });
  const longest = Promise.all(lives).then((all) => Math.max(...all));
  await report(
    "100 slow or silent connections",
    longest.then((ms) => `the last closed after ${(ms / 1000).toFixed(1)} s`),
  );
  expect(await longest).toBeLessThan(7_000);
});

it("frames one byte too long end their socket", async () => {
  const codes = Promise.all(
    Array.from({ length: 40 }, async (_, number) => {
      await sleep(number * 100);
      const socket = attack("127.0.0.3");
      if (await opened(socket)) socket.send("x".repeat(65_537));
      return closed(socket);
    }),
  );
  await report(
    "40 frames of 64 KiB and a byte",
    codes.then((all) => `closed with ${[...new Set(all)].join()}`),
  );
  expect(new Set(await codes)).toEqual(new Set([1009]));
});

it("pages of another origin are refused", async () => {
  const outcomes = Promise.all(
    Array.from({ length: 400 }, async (_, number) => {
      await sleep(number * 20);
      return opened(attack("127.0.0.4", "http://evil.test"));
    }),
  );
  await report(
    "400 sockets of another origin",
    outcomes.then((all) => `${all.filter(Boolean).length} opened`),
  );
  expect((await outcomes).filter(Boolean)).toEqual([]);
});

it("an address opens no more rooms than it may", async () => {
  const outcomes = Promise.all(
    Array.from({ length: 300 }, async (_, number) => {
      await sleep(number * 50);
      const socket = attack("127.0.0.5");
      const isIn = enters(socket, number);
      return isIn.finally(() => socket.close());
    }),
  );
  await report(
    "an address that asks for 300 rooms",
    outcomes.then((all) => `${all.filter(Boolean).length} opened`),
  );
  expect((await outcomes).filter(Boolean).length).toBeGreaterThan(0);
  // A hundred at once, and one more every 6 s.
  expect((await outcomes).filter(Boolean).length).toBeLessThanOrEqual(103);
});

it("a flood of pings ends its socket", async () => {
  const lives = Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = attack("127.0.0.6");
      await opened(socket);
      const flood = setInterval(() => {
        for (let i = 0; i < 50 && socket.readyState === WebSocket.OPEN; i++) socket.ping();
      }, 10);
      const code = await Promise.race([closed(socket), sleep(attackMs, -1)]);
      clearInterval(flood);
      socket.terminate();
      return code;
    }),
  );
  await report(
    "20 sockets of 5,000 pings a second",
    lives.then((all) => `closed with ${[...new Set(all)].join()}`),
  );
  expect(await lives).not.toContain(-1);
});

it("members whose line is dead are gone after a minute", async () => {
  const lives = Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      const socket = attack("127.0.0.7", "http://warren.test", false);
      expect(await enters(socket, 1_000 + number)).toBe(true);
      const joinedAt = performance.now();
      await Promise.race([closed(socket), sleep(80_000)]);
      return performance.now() - joinedAt;
    }),
  );
  const longest = lives.then((all) => Math.max(...all));
  await report(
    "20 members that answer no ping",
    longest.then((ms) => `the last closed after ${(ms / 1000).toFixed(1)} s`),
  );
  expect(await longest).toBeLessThan(70_000);
});
