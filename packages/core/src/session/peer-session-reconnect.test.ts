import { beforeEach, describe, expect, it } from "vitest";
import { annId, benId, pathOf, SessionPair, statusesOf } from "../testing/session-pair.ts";

describe("a session that was connected", () => {
  let pair: SessionPair;

  beforeEach(() => {
    pair = new SessionPair();
  });

  it("reconnects when the connection of one side is killed", async () => {
    for (const killed of [0, 1]) {
      pair = new SessionPair();
      const [ann, ben] = await pair.connect();
      pair.kill(killed);
      await pair.rest();
      expect(statusesOf(ann, ben)).toEqual(["reconnecting", "reconnecting"]);
      await pair.clock.advance(1_000);
      await pair.rest();
      expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
      expect([ann.session.state.attempt, ben.session.state.ready]).toEqual([0, true]);
    }
  });

  it("reconnects even when only one side has noticed", async () => {
    for (const noticing of [0, 1]) {
      pair = new SessionPair();
      const sides = await pair.connect();
      pair.killSilently(noticing);
      await pair.rest();
      expect(statusesOf(...sides)).toEqual(
        noticing === 0 ? ["reconnecting", "connected"] : ["connected", "reconnecting"],
      );
      await pair.clock.advance(1_000);
      await pair.rest();
      expect(statusesOf(...sides)).toEqual(["connected", "connected"]);
      expect(sides.map((side) => side.session.state.ready)).toEqual([true, true]);
    }
  });

  it("starts again when the peer's profile does not arrive", async () => {
    pair.firstFrame = "send-text";
    const [ann, ben] = await pair.connect();
    expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
    expect([ann.session.state.ready, ben.session.state.ready]).toEqual([false, false]);
    pair.firstFrame = "profile";
    await pair.clock.advance(20_000);
    await pair.rest();
    expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
    expect([ann.session.state.ready, ben.session.state.ready]).toEqual([true, true]);
    const made = pair.network.made.length;
    await pair.clock.advance(60_000);
    expect(pair.network.made).toHaveLength(made);
  });

  it.each([
    { random: 0, waits: [100, 200, 400, 800, 1_600, 3_200, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000] },
    { random: 0.5, waits: [300, 600, 1_200, 2_400, 4_800, 9_600, ...Array(6).fill(12_000)] },
  ])(
    "is retried forever after growing waits, with $random of their random part",
    async ({ random, waits }) => {
      pair.random = random;
      const [ann, ben] = await pair.connect();
      const began = pair.attemptTimes();
      const lostAt = pair.clock.now();
      ben.session.close();
      await pair.clock.advance(400_000);
      const ends = [lostAt, ...began.map((at) => at + 10_000)];
      expect(began.slice(0, 12).map((at, index) => at - (ends[index] ?? 0))).toEqual(waits);
      expect(ann.session.state).toMatchObject({ error: { code: "no-answer" } });
    },
  );

  it("counts as reconnecting for 10 attempts and as offline after that, and reports when the next one starts", async () => {
    const [ann] = await pair.connect();
    pair.signalling.filter = () => false;
    pair.kill(0);
    await pair.clock.advance(400_000);
    const waiting = ann.history.filter(({ nextAttemptAtMs }) => nextAttemptAtMs !== null);
    expect(waiting.slice(0, 12).map(({ attempt, session }) => [attempt, session])).toEqual([
      ...Array.from({ length: 10 }, (_, index) => [index + 1, "reconnecting"]),
      [11, "disconnected"],
      [12, "disconnected"],
    ]);
  });

  it("requests new paths after 2 s without packets, and continues on the same connection", async () => {
    const [ann, ben] = await pair.connect();
    pair.network.cut();
    await pair.clock.advance(1_999);
    expect(ann.session.state.session).toBe("connected");
    await pair.clock.advance(1);
    expect(ann.session.state).toMatchObject({ session: "reconnecting", attempt: 0, ready: true });
    pair.network.expire();
    pair.network.heal();
    await pair.rest();
    expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
    expect(pair.network.made).toHaveLength(2);
  });

  it("requests new paths at once when the browser has given up the old ones", async () => {
    const [ann] = await pair.connect();
    pair.network.cut();
    pair.network.expire();
    expect(ann.session.state).toMatchObject({ session: "reconnecting", attempt: 0, ready: true });
  });

  it("does not report a loss of packets shorter than 2 s", async () => {
    const [ann] = await pair.connect();
    pair.network.cut();
    await pair.clock.advance(1_500);
    pair.network.heal();
    await pair.clock.advance(5_000);
    expect(pathOf(ann)).toEqual(["created", "connecting", "connected"]);
  });

  it("creates a new connection when new paths do not help within 10 s", async () => {
    const [ann, ben] = await pair.connect();
    pair.network.cut();
    await pair.clock.advance(12_100);
    expect(ann.session.state).toMatchObject({ session: "reconnecting", attempt: 1, ready: false });
    pair.network.heal();
    await pair.clock.advance(25_000);
    await pair.rest();
    expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
    expect(pair.network.made.length).toBeGreaterThan(2);
  });

  it("is replaced at once after a reload, whichever side reloads", async () => {
    for (const reloads of ["ann", "ben"] as const) {
      pair = new SessionPair();
      const [ann, ben] = await pair.connect();
      await pair.clock.advance(1_000);
      const [self, other] = [
        { clientId: annId, order: 0 },
        { clientId: benId, order: 1 },
      ];
      const stays = reloads === "ann" ? ben : ann;
      pair.network.made.at(reloads === "ann" ? 0 : 1)?.vanish();
      const next = await (reloads === "ann" ? pair.openSide(self, other) : pair.openSide(other, self));
      next.session.connect();
      await pair.rest();
      expect(stays.session.state).toMatchObject({ session: "connected", ready: true });
      expect(next.session.state).toMatchObject({ session: "connected", ready: true });
    }
  });

  it("reconnects at once when the peer is back in the room", async () => {
    const [ann, ben] = await pair.open();
    pair.signalling.filter = () => false;
    ann.session.connect();
    await pair.rest();
    pair.signalling.filter = () => true;
    ann.session.rejoined(0);
    await pair.rest();
    expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
  });

  it("reconnects automatically within 35 s of the end of an outage of 6 min", async () => {
    for (const random of [0, 0.5, 0.99]) {
      pair = new SessionPair();
      pair.random = random;
      const [ann, ben] = await pair.connect();
      pair.network.cut();
      await pair.clock.advance(6 * 60_000);
      expect([ann.session.state.ready, ben.session.state.ready]).toEqual([false, false]);
      pair.network.heal();
      await pair.clock.advance(35_000);
      expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
    }
  });

  it("retries at once when the machine wakes, instead of waiting", async () => {
    pair.random = 0.99;
    const [ann, ben] = await pair.connect();
    await pair.clock.advance(1_000);
    pair.kill(0);
    await pair.rest();
    ann.session.wake();
    await pair.rest();
    expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
  });

  it("keeps the connection to a peer that left the room when the machine wakes", async () => {
    const [ann, ben] = await pair.connect();
    pair.network.cut();
    await pair.clock.advance(2_000);
    ann.session.left();
    ann.session.wake();
    pair.network.heal();
    await pair.rest();
    expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
    expect(pair.network.made).toHaveLength(2);
  });

  it("is over, and reported so, when a peer that had left the room ends it", async () => {
    const [ann, ben] = await pair.connect();
    const gone: string[] = [];
    ann.events.on("session-ended", (clientId) => gone.push(clientId));
    ann.session.left();
    expect(gone).toEqual([]);
    ben.session.end();
    await pair.rest();
    expect([gone, ann.session.state.session]).toEqual([[benId], "closed"]);
  });
});
