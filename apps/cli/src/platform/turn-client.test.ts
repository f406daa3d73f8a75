import { createHmac } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import {
  attributes,
  longTermKey,
  methods,
  readStun,
  type StunAttribute,
  stunRequest,
} from "./stun-message.ts";
import { askRelay } from "./turn-client.ts";

const [username, password, realm] = ["ann", "a:b@c", Buffer.from("warren")];
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A relay as far as allocations go. It signs nothing, as nobody checks that. */
class FakeRelay {
  /** The lifetimes of the allocations and refreshes that were granted. */
  readonly granted: number[] = [];
  nonces = ["first"];
  refusal: number | null = null;

  answerTo(bytes: Buffer): Buffer {
    const message = readStun(bytes);
    if (message === null) return Buffer.alloc(0);
    const { type, id, attributes: given } = message;
    const answer = (answerType: number, ...more: StunAttribute[]) => {
      const made = stunRequest(answerType, more).bytes;
      id.copy(made, 8);
      return made;
    };
    const method = type === methods.refresh.request ? methods.refresh : methods.allocate;
    const refuse = (code: number) =>
      answer(
        method.error,
        [attributes.errorCode, Buffer.from([0, 0, Math.floor(code / 100), code % 100, ...Buffer.from("No")])],
        [attributes.realm, realm],
        [attributes.nonce, Buffer.from(this.nonces[0] ?? "")],
      );
    if (this.refusal !== null) return refuse(this.refusal);
    const mac = given.get(attributes.messageIntegrity);
    if (mac === undefined) return refuse(401);
    const signed = bytes.subarray(0, bytes.indexOf(mac) - 4);
    const own = createHmac("sha1", longTermKey(username, realm, password))
      .update(signed)
      .digest();
    if (!own.equals(mac)) return refuse(401);
    if (given.get(attributes.nonce)?.toString() !== this.nonces.at(-1)) {
      this.nonces.shift();
      return refuse(438);
    }
    this.granted.push(given.get(attributes.lifetime)?.readUInt32BE(0) ?? 600);
    return answer(method.success);
  }

  async udp(): Promise<string> {
    const socket = createSocket("udp4").bind(0, "127.0.0.1");
    closing.push(() => socket.close());
    socket.on("message", (bytes, { port }) => {
      for (const noise of ["", "01", "no message of any kind"]) socket.send(noise, port, "127.0.0.1");
      socket.send(this.answerTo(bytes), port, "127.0.0.1");
    });
    await once(socket, "listening");
    return `turn:127.0.0.1:${socket.address().port}?transport=udp`;
  }

  /** Answers byte by byte. */
  async tcp(): Promise<string> {
    const server = createServer((socket) => {
      socket.setNoDelay(true).on("error", () => {});
      socket.on("data", (bytes) => {
        for (const byte of this.answerTo(bytes)) socket.write(Buffer.from([byte]));
      });
    }).listen(0, "127.0.0.1");
    closing.push(() => server.close());
    await once(server, "listening");
    return `turn:127.0.0.1:${(server.address() as AddressInfo).port}?transport=tcp`;
  }
}

const ask = (url: string, given: Partial<{ password: string; limitMs: number }> = {}) =>
  askRelay({ url, username, password: given.password ?? password }, given.limitMs ?? 8_000);

describe.each(["udp", "tcp"] as const)("a relay over %s", (way) => {
  it("answers who signs in, and gets back what it allocated", async () => {
    const relay = new FakeRelay();
    const url = await relay[way]();
    expect(await ask(url)).toMatchObject({ status: "answered", candidate: "relay" });
    await expect.poll(() => relay.granted).toEqual([600, 0]);
  });

  it("is asked again with another nonce, but not for ever", async () => {
    const relay = new FakeRelay();
    relay.nonces = ["first", "second"];
    expect(await ask(await relay[way]())).toMatchObject({ status: "answered" });
    relay.nonces = Array.from({ length: 9 }, (_, n) => String(n));
    expect(await ask(await relay[way]())).toEqual({ status: "refused", code: 438, text: "No" });
  });

  it("refuses a wrong password, and whatever else it refuses", async () => {
    const relay = new FakeRelay();
    expect(await ask(await relay[way](), { password: "wrong" })).toMatchObject({
      status: "refused",
      code: 401,
    });
    relay.refusal = 508;
    expect(await ask(await relay[way]())).toEqual({ status: "refused", code: 508, text: "No" });
  });
});

it.each([
  ["nobody listens", "turn:127.0.0.1:9?transport=tcp"],
  ["nobody answers", "turn:127.0.0.1:9"],
  ["there is no such host", "turn:relay.invalid"],
])("is silent where %s", async (_, url) => {
  expect(await ask(url, { limitMs: 300 })).toEqual({ status: "silent" });
});

it.each(["nonsense", "stun:127.0.0.1", "turn:127.0.0.1:99999", "turn:127.0.0.1:0", "turn:"])(
  "fails for the address %s",
  async (url) => {
    expect(await ask(url)).toMatchObject({ status: "failed", error: { code: "server-refused" } });
  },
);
