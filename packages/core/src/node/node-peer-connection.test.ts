import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { CandidateFilter } from "../ice/candidate-filter.ts";
import { systemClock } from "../shared/system-clock.ts";
import { createPeerConnection, endAsInBrowsers, nativeServersOf } from "./node-peer-connection.ts";

const login = { username: "ann", credential: "a:b@c" };
const relay = (hostname: string, port: number) => ({
  hostname,
  port,
  username: "ann",
  password: "a:b@c",
  relayType: "TurnUdp",
});

it.each([
  ["turn:relay.example.org", [relay("relay.example.org", 3478)]],
  ["turn:relay.example.org:443?transport=udp", [relay("relay.example.org", 443)]],
  ["turn:[2001:db8::1]:3479", [relay("2001:db8::1", 3479)]],
  ["turn:relay.example.org?transport=tcp", []],
  ["turns:relay.example.org", []],
  ["turn:", []],
  ["nonsense", []],
])("uses of %s what libjuice can reach, and leaves out the rest", (urls, expected) => {
  const other = { urls: "turn:other.example.org", ...login };
  expect(nativeServersOf([{ urls, ...login }, other], 0)).toEqual([
    ...expected,
    relay("other.example.org", 3478),
  ]);
});

it("names one STUN server of several, in turn", () => {
  const servers = [{ urls: ["stun:a", "stun:b"] }, { urls: "stun:c" }];
  expect([0, 1, 2, 3].map((turn) => nativeServersOf(servers, turn))).toEqual([
    ["stun:a"],
    ["stun:b"],
    ["stun:c"],
    ["stun:a"],
  ]);
  expect(nativeServersOf([], 3)).toEqual([]);
});

it("tells a candidate as browsers do, so that it passes where theirs do", async () => {
  const connection = createPeerConnection({});
  connection.createDataChannel("one");
  const told = new Promise<RTCIceCandidate | null>((resolve) =>
    connection.addEventListener("icecandidate", ({ candidate }) => resolve(candidate), { once: true }),
  );
  await connection.setLocalDescription();
  const candidate = await told;
  connection.close();
  expect(candidate?.candidate).toMatch(/^candidate:\S+ 1 udp \d+ \S+ \d+ typ host/i);
  expect(new CandidateFilter(systemClock).admits(candidate?.candidate ?? "")).toBe(true);
  expect(candidate?.sdpMid).toBe("0");
});

it("has a channel end as in browsers: closing once nothing can be sent, and usable once it is destroyed", () => {
  class Channel {
    state: RTCDataChannelState = "connecting";
    failure = "readyState is not 'open'";
    get readyState(): RTCDataChannelState {
      return this.state;
    }
    get bufferedAmount(): number {
      return this.#alive(7);
    }
    get bufferedAmountLowThreshold(): number {
      return 1;
    }
    set bufferedAmountLowThreshold(bytes) {
      this.#alive(bytes);
    }
    #alive(value: number): number {
      if (this.state === "closed") throw new Error("called on destroyed channel");
      return value;
    }
    send(): void {
      throw new Error(`libdatachannel error while sending data channel message: ${this.failure}`);
    }
  }
  const channel = endAsInBrowsers(new Channel());
  expect(() => channel.send()).toThrow("not 'open'");
  channel.state = "open";
  channel.failure = "Message size exceeds limit";
  expect(() => channel.send()).toThrow("exceeds");
  expect(channel.readyState).toBe("open");
  channel.failure = "Sending failed, errno=32";
  expect(() => channel.send()).toThrow("errno");
  expect(channel.readyState).toBe("closing");
  expect(channel.bufferedAmount).toBe(7);
  channel.state = "closed";
  expect(channel.readyState).toBe("closed");
  channel.bufferedAmountLowThreshold = 2;
  expect(channel.bufferedAmount).toBe(0);
});

const sockets: ReturnType<typeof createSocket>[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/** A server that answers nothing. */
async function silentServer() {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  sockets.push(socket);
  await once(socket, "listening");
  return { url: `stun:127.0.0.1:${socket.address().port}`, isAsked: once(socket, "message") };
}

it("asks another STUN server after one that told nothing", async () => {
  const servers = await Promise.all([silentServer(), silentServer()]);
  const configuration = { iceServers: servers.map(({ url }) => ({ urls: url })) };
  const waiting = new Set(servers);
  while (waiting.size > 0) {
    const connection = createPeerConnection(configuration);
    connection.createDataChannel("one");
    await connection.setLocalDescription();
    const asked = await Promise.race([...waiting].map((one) => one.isAsked.then(() => one)));
    connection.close();
    waiting.delete(asked);
  }
});
