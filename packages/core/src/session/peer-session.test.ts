import { WarrenError } from "@warren/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Emitter } from "../shared/emitter.ts";
import type { SignalLinkEvents } from "../signalling/signal-link.ts";
import { openSeat } from "../testing/open-seat.ts";
import { OpenSignalLinks } from "../testing/open-signal-links.ts";
import { sampleBox } from "../testing/sample-box.ts";
import { annId, benId, pathOf, SessionPair, sessionRoomTag, statusesOf } from "../testing/session-pair.ts";
import { AttemptQueue } from "./attempt-queue.ts";

describe("a session", () => {
  let pair: SessionPair;

  beforeEach(() => {
    pair = new SessionPair();
  });

  it("moves from created over connecting to connected, and is ready with the peer's profile", async () => {
    const [ann, ben] = await pair.connect();
    for (const [side, name] of [
      [ann, "b"],
      [ben, "a"],
    ] as const) {
      expect(pathOf(side)).toEqual(["created", "connecting", "connected"]);
      expect(side.session.state).toMatchObject({ ready: true, attempt: 0, profile: { name }, error: null });
    }
    expect(pair.network.made).toHaveLength(2);
  });

  it("is started by the polite side when the impolite one does not start in time", async () => {
    const [ann, ben] = await pair.open();
    ben.session.connect(2_000);
    await pair.clock.advance(1_999);
    expect(pair.network.made).toHaveLength(0);
    await pair.clock.advance(1);
    await pair.rest();
    expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
  });

  it.each([
    ["by join order", 0, 1],
    ["the other way round", 1, 0],
    ["by id when the places are equal", 3, 3],
  ])("ends up with one connection when both start at once, resolved %s", async (_how, annOrder, benOrder) => {
    const [ann, ben] = await pair.open(annOrder, benOrder);
    ann.session.connect();
    ben.session.connect();
    await pair.rest();
    expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
    expect([ann.session.state.ready, ben.session.state.ready]).toEqual([true, true]);
    const alive = pair.network.made.filter((connection) => connection.signalingState !== "closed");
    expect(alive).toHaveLength(2);
    // The impolite side's offer won: it kept its first connection, the polite side discarded its own.
    const impolite = annOrder <= benOrder ? 0 : 1;
    expect(pair.network.made.map((connection) => connection.signalingState === "closed").indexOf(true)).toBe(
      1 - impolite,
    );
  });

  it("is disconnected 10 s after an unanswered attempt, and retries forever", async () => {
    const [ann] = await pair.open();
    const began = pair.attemptTimes();
    pair.signalling.filter = () => false;
    ann.session.connect();
    await pair.clock.advance(9_999);
    expect(ann.session.state).toMatchObject({ session: "connecting", nextAttemptAtMs: null });
    await pair.clock.advance(1);
    expect(ann.session.state).toMatchObject({
      session: "disconnected",
      nextAttemptAtMs: pair.clock.elapsedMs() + 300,
      error: { code: "no-answer" },
    });
    await pair.clock.advance(300);
    expect(ann.session.state).toMatchObject({ session: "connecting", error: { code: "no-answer" } });
    await pair.clock.advance(300_000);
    const waits = began.slice(1).map((at, index) => at - (began[index] ?? 0) - 10_000);
    expect(waits.slice(0, 9)).toEqual([300, 600, 1_200, 2_400, 4_800, 9_600, 12_000, 12_000, 12_000]);
  });

  it("reconnects automatically soon after the obstacle is gone", async () => {
    const [ann, ben] = await pair.open();
    pair.signalling.filter = () => false;
    ann.session.connect();
    ben.session.connect(2_000);
    await pair.clock.advance(120_000);
    expect([ann.session.state.ready, ben.session.state.ready]).toEqual([false, false]);
    pair.signalling.filter = () => true;
    await pair.clock.advance(35_000);
    expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
    expect(ann.session.state).toMatchObject({ attempt: 0, nextAttemptAtMs: null, error: null });
  });

  it.each(["ann", "ben"])("ends its wait on an attempt of the peer: %s starts", async (first) => {
    pair.random = 0.99;
    const [ann, ben] = await pair.open();
    pair.signalling.filter = () => false;
    ann.session.connect();
    ben.session.connect();
    await pair.clock.advance(10_001);
    expect(statusesOf(ann, ben)).toEqual(["disconnected", "disconnected"]);
    pair.signalling.filter = () => true;
    (first === "ann" ? ann : ben).session.wake();
    await pair.rest();
    expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
    await pair.clock.advance(60_000);
    expect(pair.network.made.filter(({ signalingState }) => signalingState !== "closed")).toHaveLength(2);
  });

  it("is queued and shown as connecting while the page runs its maximum number of attempts", async () => {
    pair.attempts = new AttemptQueue(pair.clock);
    const leave = [1, 2, 3].map(() => pair.attempts?.enter(true, () => {}));
    const [ann] = await pair.open();
    ann.session.connect();
    await pair.clock.advance(2_500);
    expect(ann.session.state.session).toBe("connecting");
    expect(pair.network.made).toHaveLength(0);
    leave[0]?.();
    await pair.rest();
    expect(pair.network.made.length).toBeGreaterThan(0);
  });

  it("starts its own attempt when a queued answer comes after the peer has given up", async () => {
    const [ann] = await pair.open();
    pair.attempts = new AttemptQueue(pair.clock);
    // Enough to hold every slot for 12 s.
    const leave = Array.from({ length: 16 }, () => pair.attempts?.enter(false, () => {}));
    const cy = await pair.openSide({ clientId: benId, order: 1 }, { clientId: annId, order: 0 });
    pair.random = 0.99;
    ann.session.connect();
    await pair.clock.advance(10_000);
    expect(statusesOf(ann, cy)).toEqual(["disconnected", "connecting"]);
    for (const place of leave) place?.();
    await pair.rest();
    expect(statusesOf(ann, cy)).toEqual(["connected", "connected"]);
  });

  it("has no connection in time, rather than no answer, where the answer came and no path is open", async () => {
    const [ann] = await pair.open();
    pair.network.cut();
    ann.session.connect();
    await pair.clock.advance(10_000);
    expect(ann.session.state).toMatchObject({ session: "disconnected", error: { code: "connect-timeout" } });
  });

  it("gets a new connection within the 10 s when its first one breaks early", async () => {
    const [ann, ben] = await pair.open();
    pair.signalling.filter = () => false;
    ann.session.connect();
    await pair.rest();
    pair.kill(0);
    await pair.rest();
    expect(ann.session.state).toMatchObject({ session: "connecting", error: null });
    pair.signalling.filter = () => true;
    await pair.clock.advance(1_000);
    await pair.rest();
    expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
  });

  it("is disconnected after 10 s even if every connection breaks early", async () => {
    const [ann] = await pair.open();
    pair.signalling.filter = () => false;
    ann.session.connect();
    for (let passedMs = 0; passedMs < 9_900; passedMs += 100) {
      pair.kill(-1);
      await pair.clock.advance(100);
    }
    expect(ann.session.state.session).toBe("connecting");
    await pair.clock.advance(100);
    expect(ann.session.state).toMatchObject({ session: "disconnected", error: { code: "connect-timeout" } });
  });

  it("can be retried at once by a person on either side after it has failed", async () => {
    const [ann, ben] = await pair.open();
    pair.signalling.filter = () => false;
    ann.session.connect();
    ben.session.connect();
    await pair.clock.advance(10_001);
    expect(statusesOf(ann, ben)).toEqual(["disconnected", "disconnected"]);
    pair.signalling.filter = () => true;
    ben.session.retry();
    await pair.rest();
    expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
  });

  it("does not start again while connecting or connected", async () => {
    const [ann] = await pair.connect();
    ann.session.connect();
    await pair.rest();
    expect(pair.network.made).toHaveLength(2);
  });

  it("answers one attempt of the peer a second", async () => {
    const hostile = await pair.signalling.createClient({
      ...openSeat,
      roomTag: sessionRoomTag,
      clientId: annId,
    });
    await pair.openSide({ clientId: benId, order: 1 }, { clientId: annId, order: 0 });
    const sender = hostile.createSender(benId);
    for (let i = 0; i < 58; i++) {
      sender.sendSignal({
        ...sampleBox("offer", JSON.stringify({ type: "offer", sdp: "v=0" })),
        run: `${i}`,
      });
      await pair.clock.advance(50);
    }
    expect(pair.network.made).toHaveLength(3);
  });

  it("applies a change of the peer's profile once a second, and of several only the last", async () => {
    const [ann, ben] = await pair.connect();
    const seen: (string | undefined)[] = [];
    ann.events.on("peer", ({ profile }) => seen.push(profile?.name));
    await pair.clock.advance(1_000);
    for (let count = 1; count <= 45; count++)
      ben.session.send({ type: "profile", name: `Ben ${count}`, avatar: null });
    await pair.rest();
    expect(seen).toEqual(["Ben 1"]);
    await pair.clock.advance(1_000);
    expect(seen).toEqual(["Ben 1", "Ben 45"]);
  });

  it("accepts nothing before the peer's profile", async () => {
    pair.firstFrame = "send-text";
    const [ann] = await pair.open().then(async (sides) => {
      sides[0].session.connect();
      await pair.rest();
      return sides;
    });
    expect(ann.messages).toEqual([]);
    expect(ann.violations).toEqual(["no profile"]);
    expect(ann.session.state).toMatchObject({ session: "connected", ready: false });
    expect(() => ann.session.openTransferChannel("f-0", { ordered: false })).toThrow(
      new WarrenError("channel-not-open"),
    );
  });

  it("opens at most 32 channels, and closes unknown ones and those over 64", async () => {
    const [ann, ben] = await pair.connect();
    const channels: RTCDataChannel[] = [];
    ann.events.on("transfer-channel", (_from, channel) => channels.push(channel));
    pair.network.made.at(1)?.createDataChannel("x", { protocol: "other" });
    await pair.rest();
    expect(ann.violations).toEqual(["unexpected channel"]);
    for (let i = 0; i < 32; i++) ben.session.openTransferChannel(`f-${i}`, { ordered: false });
    expect(() => ben.session.openTransferChannel("f-32", { ordered: false })).toThrow(
      new WarrenError("no-available-channel"),
    );
    const open = (n: number) =>
      pair.network.made.at(1)?.createDataChannel(`f-${n}`, { protocol: "transfer" });
    for (let i = 32; i < 64; i++) open(i);
    await pair.rest();
    expect(channels).toHaveLength(64);
    open(64);
    await pair.rest();
    expect(channels).toHaveLength(64);
    expect(ann.violations.at(-1)).toBe("too many channels");
  });

  it("ends an attempt with the link's own error", async () => {
    const ann = await pair.openSide({ clientId: annId, order: 0 }, { clientId: benId, order: 1 });
    const events = new Emitter<SignalLinkEvents>();
    vi.spyOn(OpenSignalLinks.prototype, "start").mockReturnValue({
      on: events.on.bind(events),
      send: () => {},
      start: () => events.emit("failed", new WarrenError("incorrect-password")),
      binding: null,
      close: () => {},
    });
    ann.session.connect();
    await pair.rest();
    vi.restoreAllMocks();
    expect(ann.session.state).toMatchObject({
      session: "disconnected",
      error: { code: "incorrect-password" },
    });
    expect(pair.clock.timerCount).toBe(0);
  });

  it("closes permanently: it no longer connects, sends or answers", async () => {
    const [ann, ben] = await pair.connect();
    ann.session.close();
    expect(ann.session.state).toMatchObject({ session: "closed", ready: false });
    const closed = (action: string) => new WarrenError("session-closed", { id: benId, action });
    expect(() => ann.session.open()).toThrow(closed("listen"));
    // It was connected before.
    expect(() => ann.session.connect()).toThrow(closed("reconnect"));
    expect(() => ann.session.send({ type: "request-storage" })).toThrow(closed("send"));
    await pair.clock.advance(200_000);
    expect(ann.session.state.session).toBe("closed");
    expect(ben.session.state.ready).toBe(false);
    ben.session.close();
    expect(pair.clock.timerCount).toBe(0);
  });
});
