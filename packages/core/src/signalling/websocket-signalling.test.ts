import type { ClientId, RoomMember } from "@warren/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { unverifiableIdentity } from "../handshake/identity.ts";
import { Emitter } from "../shared/emitter.ts";
import { MemoryKeyValueStorage } from "../shared/storage/memory-key-value-storage.ts";
import { describeSignallingBackend } from "../testing/contracts/describe-signalling-backend.ts";
import { settle } from "../testing/fake-clock.ts";
import { openSeat } from "../testing/open-seat.ts";
import { SignallingPages, signallingStatusesOf } from "../testing/signalling-pages.ts";
import { WebsocketSignalling } from "./websocket-signalling.ts";

const ann: ClientId = "00000000-0000-4000-8000-00000000000a";
const ben: ClientId = "00000000-0000-4000-8000-00000000000b";

describeSignallingBackend("websocket", async () => {
  const pages = new SignallingPages();
  return { page: () => pages.page(), close: () => {} };
});

describe("signalling over a websocket", () => {
  let pages: SignallingPages;
  let storage: MemoryKeyValueStorage;

  beforeEach(() => {
    pages = new SignallingPages();
    storage = new MemoryKeyValueStorage();
  });

  describe("nearby", () => {
    it("sends that frame, and takes its seat again with the token", async () => {
      const client = await pages.enter(ann, storage, { nearby: true });
      expect(pages.framesOf("nearby")).toEqual([{ type: "nearby" }]);
      expect(pages.framesOf("join")).toEqual([]);
      pages.server.drop(ann);
      await pages.clock.advance(2_000);
      expect(pages.framesOf("nearby")).toEqual([
        { type: "nearby" },
        { type: "nearby", resumeToken: `token-${client.self.order}` },
      ]);
    });

    it("sends no frame to a server that does not know the network, now or later", async () => {
      pages.server.hasNearby = false;
      await expect(pages.enter(ann, storage, { nearby: true })).rejects.toMatchObject({
        code: "nearby-unavailable",
      });
      pages.server.hasNearby = true;
      const statuses = signallingStatusesOf(await pages.enter(ann, storage, { nearby: true }));
      pages.server.hasNearby = false;
      pages.server.drop(ann);
      await pages.clock.advance(2_000);
      expect(statuses).toEqual(["online", "reconnecting", "closed"]);
      expect(pages.framesOf("nearby")).toHaveLength(1);
    });
  });

  describe("on the first connect", () => {
    it("sends hello, then joins without a token, with the protocol's name", async () => {
      await pages.enter(ann);
      expect(pages.server.sockets.at(0)?.protocol).toBe("room.v1");
      expect(pages.server.received).toEqual([
        { type: "hello", version: 4, clientId: ann, server: "ws://server.test", publicKey: "", proof: "" },
        { type: "join", room: pages.roomTag, locked: false },
      ]);
    });

    it("retries a server that rejects it, at growing delays, until it is accepted", async () => {
      pages.random = 0.999;
      pages.server.isUp = false;
      const entering = pages.enter(ann);
      await untilAsked(pages);
      await pages.clock.advance(5_000);
      expect(pages.openedAt.map((at) => Math.round((at - (pages.openedAt[0] ?? 0)) / 1_000))).toEqual([0, 2]);
      pages.server.isUp = true;
      await pages.clock.advance(2_000);
      expect((await entering).self.clientId).toBe(ann);
      expect(pages.server.sockets).toHaveLength(3);
    });

    it("gives up when the server has not accepted it within 10 s, and sends nothing more", async () => {
      pages.server.isUp = false;
      const entering = pages.enter(ann);
      entering.catch(() => {});
      await untilAsked(pages);
      await pages.clock.advance(10_000);
      await expect(entering).rejects.toMatchObject({ code: "signalling-unreachable" });
      const asked = pages.server.sockets.length;
      expect(asked).toBeLessThan(6);
      await pages.clock.advance(60_000);
      expect(pages.server.sockets).toHaveLength(asked);
      expect(pages.clock.timerCount).toBe(0);
    });

    it("stops retrying once it is cancelled", async () => {
      pages.server.isUp = false;
      const calling = new AbortController();
      const entering = pages.enter(ann, storage, { calledOff: calling.signal });
      entering.catch(() => {});
      await untilAsked(pages);
      await settle();
      calling.abort();
      await expect(entering).rejects.toMatchObject({ code: "connection-closed" });
      await pages.clock.advance(60_000);
      expect(pages.server.sockets).toHaveLength(1);
      expect(pages.clock.timerCount).toBe(0);
    });

    it("notifies the server when it is cancelled before admission", async () => {
      pages.server.greeter = { clientId: ben, order: 0 };
      const calling = new AbortController();
      const prove = () => new Promise<void>(() => {});
      const entering = pages.enter(ann, storage, { calledOff: calling.signal, prove });
      entering.catch(() => {});
      while (pages.framesOf("join").length === 0) await settle();
      calling.abort();
      await expect(entering).rejects.toMatchObject({ code: "connection-closed" });
      await settle();
      expect(pages.framesOf("leave")).toHaveLength(1);
      expect(pages.clock.timerCount).toBe(0);
    });

    it("gives up after 10 s when the server does not answer", async () => {
      pages.server.answers = false;
      const entering = pages.enter(ann);
      const failed = vi.fn();
      entering.catch(failed);
      await pages.clock.advance(9_999);
      expect(failed).not.toHaveBeenCalled();
      await pages.clock.advance(1);
      await expect(entering).rejects.toMatchObject({ code: "signalling-unreachable" });
    });

    it.each(["room-full", "rate-limited"] as const)("reports that the server refused: %s", async (code) => {
      pages.server.refusal = code;
      await expect(pages.enter(ann)).rejects.toMatchObject({ code });
    });

    it("reports at once that the server has another version", async () => {
      pages.server.answers = false;
      const entering = pages.enter(ann);
      entering.catch(() => {});
      await settle();
      pages.server.sockets.at(-1)?.end(4400, "another-version");
      await expect(entering).rejects.toMatchObject({ code: "another-version" });
      expect(pages.server.sockets).toHaveLength(1);
    });

    it("tries again for 10 s if the server asks it to wait", async () => {
      Object.assign(pages.server, { refusal: "rate-limited", retryAfterMs: 2_000 });
      const entering = pages.enter(ann);
      await pages.clock.advance(1_000);
      pages.server.refusal = null;
      await pages.clock.advance(5_000);
      await expect(entering).resolves.toBeDefined();
    });

    it("reports that another page holds the seat", async () => {
      await pages.enter(ann);
      await expect(pages.enter(ann)).rejects.toMatchObject({ code: "signalling-replaced" });
    });

    it("reports an unusable URL", async () => {
      const openSocket = () => {
        throw new SyntaxError("no URL");
      };
      const backend = new WebsocketSignalling({
        identity: await unverifiableIdentity(),
        openSocket,
        url: () => "x",
        clock: pages.clock,
        storage: new MemoryKeyValueStorage(),
        environment: new Emitter(),
      });
      await expect(
        backend.createClient({ ...openSeat, roomTag: pages.roomTag, clientId: ann }),
      ).rejects.toMatchObject({
        code: "signalling-unreachable",
      });
    });
  });

  it("reclaims its seat after a reload of the page, and reports itself as resumed to the members", async () => {
    const other = await pages.enter(ben);
    const before = await pages.enter(ann, storage);
    const joined: [RoomMember, boolean][] = [];
    other.listenForJoin((...args) => joined.push(args));
    pages.server.drop(ann, 1001);
    const after = await pages.enter(ann, storage);
    expect(after.self).toEqual(before.self);
    expect(joined.at(-1)).toEqual([before.self, true]);
    const met: [RoomMember, boolean][] = [];
    after.listenForJoin((...args) => met.push(args));
    expect(met).toEqual([[other.self, true]]);
  });

  it("gives up its seat when destroyed", async () => {
    const client = await pages.enter(ann, storage);
    client.destroy();
    await settle();
    expect(pages.server.received.at(-1)).toEqual({ type: "leave" });
    expect(storage.read("signalling_seat")).toBeNull();
    expect(pages.clock.timerCount).toBe(0);
    expect(pages.server.sockets.at(0)?.readyState).toBe(3);
  });

  it("keeps its token when the page is closed, and does not give up the seat", async () => {
    const client = await pages.enter(ann, storage);
    client.vanish();
    await settle();
    expect(pages.framesOf("leave")).toEqual([]);
    expect(pages.clock.timerCount).toBe(0);
    expect(pages.server.sockets.at(0)?.readyState).toBe(3);
    await pages.enter(ann, storage);
    expect(pages.framesOf("join").at(-1)).toMatchObject({ resumeToken: "token-0" });
  });

  it("does not use a seat of another room", async () => {
    await pages.enter(ann, storage);
    await pages.page(storage).createClient({ ...openSeat, roomTag: "o".repeat(43), clientId: ann });
    expect(pages.framesOf("join").at(-1)).toEqual({ type: "join", room: "o".repeat(43), locked: false });
  });
});

/** Waits until the asynchronous request has arrived. */
async function untilAsked({ server }: SignallingPages): Promise<void> {
  while (server.sockets.length === 0) await settle();
}
