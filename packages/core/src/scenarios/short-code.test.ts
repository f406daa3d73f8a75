import { describe, expect, it, vi } from "vitest";
import { pageSockets } from "../../../../apps/server/src/testing/page-sockets.ts";
import { startTestServer, type TestServer } from "../../../../apps/server/src/testing/test-server.ts";
import type { Identity } from "../handshake/identity.ts";
import { unverifiableIdentity } from "../handshake/identity.ts";
import type { KeyValueStorage } from "../ports/key-value-storage.ts";
import type { SignallingBackend } from "../ports/signalling.ts";
import { mailboxTagOf } from "../room/room-tag.ts";
import { ShortCodes, type ShownCode } from "../room/short-code.ts";
import type { CodeWords } from "../room/short-code-words.ts";
import { Emitter } from "../shared/emitter.ts";
import { MemoryKeyValueStorage } from "../shared/storage/memory-key-value-storage.ts";
import type { OpenSocket } from "../signalling/signalling-socket.ts";
import { WebsocketSignalling } from "../signalling/websocket-signalling.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { openSeat } from "../testing/open-seat.ts";
import { until } from "../testing/until.ts";

const link = "https://warren.example/r/harbour#tidal-gate-9.Kg-fsNO0Cx9BxrWQgNNZAw";

/** Two devices at one real server, and every frame between them and it. */
class Devices {
  readonly transcript: string[] = [];
  readonly clock = new FakeClock();
  readonly sockets: ReturnType<ReturnType<typeof pageSockets>>[] = [];
  readonly shower: ShortCodes;
  readonly typer: ShortCodes;
  readonly connect: (
    identity: Pick<Identity, "publicKey" | "sign">,
    storage: KeyValueStorage,
  ) => SignallingBackend;

  constructor(server: TestServer) {
    const open = pageSockets(this.transcript);
    this.connect = (identity, storage) =>
      new WebsocketSignalling({
        identity,
        // The library's sockets do what browsers' do, but for their types.
        openSocket: ((url, protocol) => {
          const socket = open(url, protocol);
          this.sockets.push(socket);
          return socket;
        }) as typeof open as unknown as OpenSocket,
        url: () => `ws://localhost:${server.port}/ws`,
        clock: this.clock,
        environment: new Emitter(),
        storage,
      });
    const device = () =>
      new ShortCodes({
        clock: this.clock,
        connect: (identity, storage) => this.connect(identity, storage),
      });
    this.shower = device();
    this.typer = device();
  }

  async show(): Promise<{ readonly code: ShownCode; readonly words: CodeWords }> {
    const code = this.shower.show(link);
    const state = await until(code.store, ({ status }) => status !== "opening");
    if (state.status !== "shown") throw new Error(state.status);
    return { code, words: state.words };
  }
}

describe("a code at a real server", () => {
  it("brings a link across, once, of which the server sees neither the link nor the secret words", async () => {
    await using server = await startTestServer();
    const others = new Devices(server);
    await others.typer.redeem((await others.show()).words);
    // Some words are words of the protocol, too: "member", "type".
    const usual = others.transcript.join("\n") + server.logText();
    let devices = new Devices(server);
    let shown = await devices.show();
    while (shown.words.slice(1).some((word) => usual.includes(word))) {
      devices = new Devices(server);
      shown = await devices.show();
    }
    const { code, words } = shown;
    await expect(devices.typer.redeem(words)).resolves.toBe(link);
    expect(code.store.getState()).toEqual({ status: "used" });
    await expect(devices.shower.redeem(words)).rejects.toMatchObject({ code: "code-not-found" });

    const [, ...secretWords] = words;
    const everything = devices.transcript.join("\n") + server.logText();
    expect(everything).toContain('"kind":"invitation"');
    for (const secret of [...secretWords, words.join(" "), "harbour", "tidal-gate-9", link]) {
      expect(everything).not.toContain(secret);
      expect(everything).not.toContain(btoa(secret).replace(/=+$/, "").slice(0, -1));
    }
  });

  it("ends for both with the first wrong words", async () => {
    await using server = await startTestServer();
    const devices = new Devices(server);
    const { code, words } = await devices.show();
    const [mailbox, second, third] = words;
    await expect(devices.typer.redeem([mailbox, third, `${second}s`])).rejects.toMatchObject({
      code: "code-wrong",
    });
    await until(code.store, ({ status }) => status === "wrong");
    await expect(devices.typer.redeem(words)).rejects.toMatchObject({ code: "code-not-found" });
    expect(devices.transcript.filter((frame) => frame.includes('"type":"hs3"'))).toHaveLength(2); // sent and received
  });

  it("remains shown over a dropped line also on a plain http page, whose id nothing proves", async () => {
    await using server = await startTestServer();
    const devices = new Devices(server);
    // No page of http has `crypto.subtle`.
    vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const { code, words } = await devices.show().finally(() => vi.unstubAllGlobals());
    const joins = () => devices.transcript.filter((frame) => frame.includes('"type":"joined"')).length;
    const before = joins();
    // The page notices that its line is gone, the server not yet.
    const [line] = devices.sockets.splice(0);
    if (line === undefined) throw new Error("no line");
    line.close = () => {};
    line.emit("close", 1006, Buffer.alloc(0));
    await vi.waitFor(async () => {
      await devices.clock.advance(1_000);
      expect(joins() > before || code.store.getState().status !== "shown").toBe(true);
    });
    expect(code.store.getState()).toEqual({ status: "shown", words });
    await expect(devices.typer.redeem(words)).resolves.toBe(link);
    line.terminate();
  });

  it("ends after ten minutes, and its device leaves the server", async () => {
    await using server = await startTestServer();
    const devices = new Devices(server);
    const { code, words } = await devices.show();
    await devices.clock.advance(599_999);
    expect(code.store.getState()).toEqual({ status: "shown", words });
    await devices.clock.advance(1);
    expect(code.store.getState()).toEqual({ status: "expired" });
    await vi.waitFor(() =>
      expect(
        devices.sockets.map(({ readyState }) => readyState),
        "closed",
      ).toEqual([3]),
    );
    await expect(devices.typer.redeem(words)).rejects.toMatchObject({ code: "code-not-found" });
  });

  it("is not found in a mailbox that somebody locked", async () => {
    await using server = await startTestServer();
    const devices = new Devices(server);
    const identity = await unverifiableIdentity();
    const seat = { ...openSeat, locked: true, roomTag: mailboxTagOf("falcon"), clientId: identity.clientId };
    const keeper = await devices.connect(identity, new MemoryKeyValueStorage()).createClient(seat);
    await expect(devices.typer.redeem(["falcon", "mirror", "walrus"])).rejects.toMatchObject({
      code: "code-not-found",
    });
    keeper.destroy();
  });

  it("cannot be looked for in many mailboxes from one address: an empty one counts as a new room", async () => {
    await using server = await startTestServer({ limits: { newRoomsPer10Min: 3, privateAddressFactor: 1 } });
    const devices = new Devices(server);
    const words: CodeWords = ["falcon", "mirror", "walrus"];
    const outcomes: string[] = [];
    for (let tried = 0; tried < 5; tried++) {
      await devices.typer.redeem(words).catch(({ code }: { readonly code: string }) => outcomes.push(code));
    }
    expect(outcomes.filter((code) => code === "code-not-found")).toHaveLength(3);
    expect(outcomes.at(-1)).toBe("rate-limited");
  });
});
