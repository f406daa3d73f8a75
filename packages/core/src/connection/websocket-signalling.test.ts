import type { ClientId, RoomMember } from "@warren/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { unverifiableIdentity } from "../handshake/unverifiable-identity.ts";
import { describeSignallingBackend } from "../testing/contracts/describe-signalling-backend.ts";
import { settle } from "../testing/fake-clock.ts";
import { MemoryKeyValueStorage } from "../testing/memory-key-value-storage.ts";
import { openSeat } from "../testing/open-seat.ts";
import { SignallingPages } from "../testing/signalling-pages.ts";
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

  describe("on the first connect", () => {
    it("greets, then joins without a token, in the protocol's name", async () => {
      await pages.enter(ann);
      expect(pages.server.sockets.at(0)?.protocol).toBe("room.v1");
      expect(pages.server.received).toEqual([
        { type: "hello", version: 2, clientId: ann, server: "server.test", publicKey: "", proof: "" },
        { type: "join", room: pages.roomTag, locked: false },
      ]);
    });

    it("gives up after one attempt when the server is not there", async () => {
      pages.server.isUp = false;
      await expect(pages.enter(ann)).rejects.toMatchObject({ code: "signalling-unreachable" });
      await pages.clock.advance(60_000);
      expect(pages.server.sockets).toHaveLength(1);
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

    it.each(["room-full", "rate-limited"] as const)("says that the server refused: %s", async (code) => {
      pages.server.refusal = code;
      await expect(pages.enter(ann)).rejects.toMatchObject({ code });
    });

    it("says that another page holds the seat", async () => {
      await pages.enter(ann);
      await expect(pages.enter(ann)).rejects.toMatchObject({ code: "signalling-replaced" });
    });

    it("says that a URL leads nowhere", async () => {
      const openSocket = () => {
        throw new SyntaxError("no URL");
      };
      const backend = new WebsocketSignalling({
        identity: unverifiableIdentity(),
        openSocket,
        url: () => "x",
        clock: pages.clock,
        storage: new MemoryKeyValueStorage(),
        surroundings: { onWake: () => () => {} },
      });
      await expect(
        backend.createClient({ ...openSeat, roomTag: pages.roomTag, clientId: ann }),
      ).rejects.toMatchObject({
        code: "signalling-unreachable",
      });
    });
  });

  it("takes its seat again after a reload of the page, and says so to those it meets", async () => {
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

  it("gives its seat up when destroyed", async () => {
    const client = await pages.enter(ann, storage);
    client.destroy();
    await settle();
    expect(pages.server.received.at(-1)).toEqual({ type: "leave" });
    expect(storage.read("signalling_seat")).toBeNull();
    expect(pages.clock.timerCount).toBe(0);
    expect(pages.server.sockets.at(0)?.readyState).toBe(3);
  });

  it("does not use a seat of another room", async () => {
    await pages.enter(ann, storage);
    await pages.page(storage).createClient({ ...openSeat, roomTag: "o".repeat(43), clientId: ann });
    expect(pages.framesOf("join").at(-1)).toEqual({ type: "join", room: "o".repeat(43), locked: false });
  });
});
