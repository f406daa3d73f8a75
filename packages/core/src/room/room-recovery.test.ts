import { beforeEach, describe, expect, it } from "vitest";
import { FakeClock, settle } from "../testing/fake-clock.ts";
import { FakeNetwork } from "../testing/fake-network.ts";
import { MemorySignalling } from "../testing/memory-signalling.ts";
import { createTestRoom, type TestRoom, untilBothReady } from "../testing/test-room.ts";

describe("a room whose connections are lost", () => {
  let signalling: MemorySignalling;
  let network: FakeNetwork;
  let clock: FakeClock;
  const open = (name: string, clientId?: string) => {
    const { createPeerConnection } = network;
    return createTestRoom({ signalling, createPeerConnection, name, clock, ...(clientId && { clientId }) });
  };
  /** Ann joined first, so she starts the attempts. */
  const joined = async (): Promise<[TestRoom, TestRoom]> => {
    const [ann, ben] = [open("Ann"), open("Ben")];
    await ann.room.join();
    await ben.room.join();
    return [ann, ben];
  };
  const rest = async () => {
    for (let i = 0; i < 10; i++) await settle();
  };
  const sessions = (ann: TestRoom, ben: TestRoom) => [
    ann.peer(ben.clientId)?.session,
    ben.peer(ann.clientId)?.session,
  ];

  beforeEach(() => {
    signalling = new MemorySignalling();
    network = new FakeNetwork();
    clock = new FakeClock();
  });

  it("reconnects at once when its link to the server is back", async () => {
    signalling.filter = () => false;
    const [ann, ben] = await joined();
    await rest();
    expect(sessions(ann, ben)).toEqual(["connecting", "connecting"]);
    signalling.filter = () => true;
    signalling.blink(ann.clientId);
    await rest();
    expect(sessions(ann, ben)).toEqual(["connected", "connected"]);
  });

  it("reconnects at once when the peer's link to the server is back", async () => {
    signalling.filter = () => false;
    const [ann, ben] = await joined();
    await rest();
    signalling.filter = () => true;
    signalling.blink(ben.clientId);
    await rest();
    expect(sessions(ann, ben)).toEqual(["connected", "connected"]);
  });

  it("retries unreachable peers when the machine wakes", async () => {
    signalling.filter = () => false;
    const [ann, ben] = await joined();
    await clock.advance(10_000);
    expect(sessions(ann, ben)[0]).toBe("disconnected");
    signalling.filter = () => true;
    ann.wake();
    await rest();
    expect(sessions(ann, ben)).toEqual(["connected", "connected"]);
  });

  it.each(["Ann", "Ben"])(
    "is met again without waiting after a reload of %s that nobody noticed",
    async (name) => {
      const [ann, ben] = await joined();
      await untilBothReady(ann, ben);
      await clock.advance(1_000);
      const [reloads, stays] = name === "Ann" ? [ann, ben] : [ben, ann];
      network.made.at(name === "Ann" ? 0 : 1)?.vanish();
      const again = open(`${name} again`, reloads.clientId);
      await again.room.join();
      await rest();
      expect(stays.peer(again.clientId)).toMatchObject({
        session: "connected",
        profile: { name: `${name} again` },
      });
      expect(again.peer(stays.clientId)).toMatchObject({ session: "connected", ready: true });
    },
  );

  it("reconnects with a page that also lost its seat, within the time reserved for the earlier joiner", async () => {
    const [ann, ben] = await joined();
    await untilBothReady(ann, ben);
    network.made.at(1)?.vanish();
    signalling.forget(ben.clientId);
    await settle();
    const again = open("Ben again", ben.clientId);
    await again.room.join();
    await clock.advance(2_000);
    await rest();
    expect(ann.peer(ben.clientId)).toMatchObject({ session: "connected", profile: { name: "Ben again" } });
  });
});
