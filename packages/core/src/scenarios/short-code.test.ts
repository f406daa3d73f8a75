import { describe, expect, it } from "vitest";
import { pageSockets } from "../../../../apps/server/src/testing/page-sockets.ts";
import { startTestServer, type TestServer } from "../../../../apps/server/src/testing/test-server.ts";
import { WebsocketSignalling } from "../connection/websocket-signalling.ts";
import type { OpenSocket } from "../ports/socket.ts";
import { ShortCodes, type ShownCode } from "../room/short-code.ts";
import type { CodeWords } from "../room/short-code-words.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { MemoryKeyValueStorage } from "../testing/memory-key-value-storage.ts";
import { until } from "../testing/until.ts";

const link = "https://warren.example/r/harbour#tidal-gate-9.Kg-fsNO0Cx9BxrWQgNNZAw";

/** Two devices at one real server, and every frame between them and it. */
class Devices {
  readonly transcript: string[] = [];
  readonly clock = new FakeClock();
  readonly shower: ShortCodes;
  readonly typer: ShortCodes;

  constructor(server: TestServer) {
    // The library's sockets do what browsers' do, but for their types.
    const openSocket = pageSockets(this.transcript) as unknown as OpenSocket;
    const device = () =>
      new ShortCodes({
        clock: this.clock,
        connect: (identity) =>
          new WebsocketSignalling({
            identity,
            openSocket,
            url: () => `ws://localhost:${server.port}/ws`,
            clock: this.clock,
            environment: { onWake: () => () => {}, onGone: () => () => {} },
            storage: new MemoryKeyValueStorage(),
          }),
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
    const devices = new Devices(server);
    const { code, words } = await devices.show();
    await expect(devices.typer.redeem(words)).resolves.toBe(link);
    expect(code.store.getState()).toEqual({ status: "used" });
    await expect(devices.typer.redeem(words)).rejects.toMatchObject({ code: "code-not-found" });

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
