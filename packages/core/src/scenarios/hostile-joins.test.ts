import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { unverifiableIdentity } from "../handshake/identity.ts";
import { roomTagOf } from "../room/room-tag.ts";
import { SealedRooms } from "../sealed/sealed-room.ts";
import { createFakeCertificate } from "../testing/fake-certificate.ts";
import { FakeNetwork } from "../testing/fake-network.ts";
import { HostileClient } from "../testing/hostile-client.ts";
import { SignallingPages } from "../testing/signalling-pages.ts";
import { createTestRoom, type TestRoom } from "../testing/test-room.ts";

const room = roomTagOf("burrow");
/** The steps in which time passes. */
const stepMs = 25;

describe("a page in a room with hostile members", () => {
  let pages: SignallingPages;
  let network: FakeNetwork;
  let ann: TestRoom;

  /** A page with the real handshake that has joined. */
  const enter = async (name: string): Promise<TestRoom> => {
    const identity = await unverifiableIdentity();
    const { clock } = pages;
    const page = createTestRoom({
      name,
      clientId: identity.clientId,
      clock,
      signalling: pages.page(),
      createPeerConnection: network.createPeerConnection,
      security: new SealedRooms({
        identity,
        createCertificate: async () => createFakeCertificate(),
        clock,
        mustProveId: async () => false,
      }),
    });
    await page.room.join();
    return page;
  };

  beforeEach(async () => {
    pages = new SignallingPages();
    network = new FakeNetwork();
    ann = await enter("Ann");
  });

  const hostileClients = async (count: number): Promise<HostileClient[]> => {
    const clients = Array.from({ length: count }, () => new HostileClient(pages.server, room));
    await pages.clock.advance(stepMs);
    return clients;
  };

  /** Lets something happen in every step until a time has passed or the check holds. @returns the time passed. */
  const during = async (ms: number, happen: (step: number) => void, until = () => false): Promise<number> => {
    let passedMs = 0;
    for (; passedMs < ms && !until(); passedMs += stepMs) {
      happen(passedMs / stepMs);
      await pages.clock.advance(stepMs);
    }
    return passedMs;
  };

  /** Ben joins under attack and meets Ann within 10 s. */
  const benMeetsAnn = async (attack: (step: number) => void): Promise<void> => {
    const ben = await enter("Ben");
    const haveMet = () => ann.peer(ben.clientId)?.ready === true && ben.peer(ann.clientId)?.ready === true;
    expect(await during(10_000, attack, haveMet)).toBeLessThan(10_000);
    expect([...pages.server.tooFast]).not.toContain(ann.clientId);
    expect([...pages.server.tooFast]).not.toContain(ben.clientId);
  };

  it("stays in the room and meets others while 20 clients join and leave 160 times a second", async () => {
    const clients = await hostileClients(20);
    let present: HostileClient[] = [];
    const attack = (step: number) => {
      for (const client of present) client.leave();
      present = [0, 1, 2, 3].flatMap((i) => clients[(step * 4 + i) % clients.length] ?? []);
      for (const client of present) client.join();
    };
    await during(5_000, attack);
    await benMeetsAnn(attack);
  });

  it("does so while 20 members join, stay for a quarter of a second and leave", async () => {
    const clients = await hostileClients(20);
    const attack = (step: number) => {
      for (const client of [0, 1].map((i) => clients[(step * 2 + i) % clients.length])) {
        client?.leave();
        client?.join();
      }
    };
    await during(5_000, attack);
    await benMeetsAnn(attack);
  });

  it("does so while 20 members each start 40 handshakes a second", async () => {
    const clients = await hostileClients(20);
    for (const client of clients) client.join();
    await pages.clock.advance(stepMs);
    // Later than they are, so that she yields to their handshakes.
    ann = await enter("Ann");
    const attack = () => {
      for (const client of clients) client.start(ann.clientId);
    };
    await during(5_000, attack);
    await benMeetsAnn(attack);
  });

  it("does so while five members negotiate 20 times a second", async () => {
    const members = await Promise.all(Array.from({ length: 5 }, (_, i) => enter(`Member ${i}`)));
    const areMet = () => members.every(({ clientId }) => ann.peer(clientId)?.ready === true);
    expect(await during(10_000, () => {}, areMet)).toBeLessThan(10_000);
    const attack = (step: number) => {
      for (const connection of step % 2 === 0 ? network.made : []) connection.restartIce();
    };
    await during(3_000, attack);
    await benMeetsAnn(attack);
  });

  it("does so whatever 15 members do", { timeout: 600_000 }, async () => {
    const deed = fc.record({
      does: fc.constantFrom("leave and join", "start", "answer", "take the seat again", "nothing"),
      everySteps: fc.integer({ min: 1, max: 4 }),
    });
    const phase = fc.array(deed, { minLength: 15, maxLength: 15 });
    const phaseSteps = 40;
    const schedules = fc.array(phase, { minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(schedules, async (phases) => {
      pages = new SignallingPages();
      network = new FakeNetwork();
      const clients = await hostileClients(15);
      const joinAll = (some: readonly HostileClient[]) => {
        for (const client of some) client.join();
      };
      joinAll(clients.slice(0, 7));
      await pages.clock.advance(stepMs);
      ann = await enter("Ann");
      joinAll(clients.slice(7));
      const attack = (step: number) => {
        const deeds = phases[Math.floor(step / phaseSteps) % phases.length] ?? [];
        for (const [i, { does, everySteps }] of deeds.entries()) {
          const client = clients[i];
          if (client === undefined || step % everySteps !== 0) continue;
          if (does === "start") client.start(ann.clientId);
          else if (does === "answer") client.answerAll();
          else if (does === "leave and join") client.leave();
          else if (does === "take the seat again") client.return();
          if (does === "leave and join") client.join();
        }
      };
      await during(3_000, attack);
      await benMeetsAnn(attack);
    });
    await fc.assert(property, { numRuns: process.env.WARREN_LONG ? 200 : 5 });
  });
});
