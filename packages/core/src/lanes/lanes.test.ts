import type { LaneId, PeerMessage } from "@warren/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FakePeerConnection } from "../testing/fake-peer-connection.ts";
import { annId, benId, SessionPair, type SessionSide } from "../testing/session-pair.ts";
import { LanePool } from "./lane-pool.ts";
import type { TransferLane } from "./transfer-lane.ts";

const kib = 1024;
/** The connections of a session itself, one of each side. */
const sessionConnections = 2;

/** Keeps a channel busy until it closes. */
function pump(channel: RTCDataChannel, messageBytes = 32 * kib): void {
  const fill = () => {
    while (channel.readyState === "open" && channel.bufferedAmount < 64 * kib)
      channel.send(new Uint8Array(messageBytes));
  };
  channel.bufferedAmountLowThreshold = 32 * kib;
  channel.addEventListener("bufferedamountlow", fill);
  channel.addEventListener("open", fill);
}

/** A side that sends as much as its lanes can carry. */
function sendAll({ session, events }: SessionSide): {
  readonly open: () => readonly TransferLane[];
  stop(): void;
} {
  const channels = new Map<LaneId, RTCDataChannel>();
  const own = session.openTransferChannel("some-file-0", { ordered: false });
  pump(own);
  events.on("lanes", () => {
    for (const lane of session.lanes) {
      if (channels.has(lane.id)) continue;
      const channel = lane.openTransferChannel(`some-file-${channels.size + 1}`, { ordered: false });
      channels.set(lane.id, channel);
      pump(channel);
    }
  });
  return {
    open: () => session.lanes,
    stop: () => {
      for (const channel of [own, ...channels.values()]) channel.close();
    },
  };
}

describe("the lanes of a session", () => {
  let pair: SessionPair;
  let ann: SessionSide;
  let ben: SessionSide;
  beforeEach(async () => {
    pair = new SessionPair();
    [ann, ben] = await pair.connect();
    const later = (turn: () => void) => void pair.clock.after(100, turn);
    pair.network.path.channelOptions = { turnBytes: 16 * kib, later };
  });
  const alive = () => pair.network.made.filter(({ signalingState }) => signalingState !== "closed");
  const laneAt = (index: number): FakePeerConnection =>
    pair.network.made[sessionConnections + index] ?? expect.fail("no lane");
  /** Sends a message from a hostile Ben. */
  const says = async (body: object) => {
    const envelope = { id: "lane-message", client: benId, target: annId, createdAt: 1 };
    ben.session.send({ ...envelope, ...body } as PeerMessage);
    await pair.clock.advance(200);
  };
  const offerOf = async (lane: string, changed = (sdp: string) => sdp) => {
    const connection = pair.network.create({});
    connection.createDataChannel("lane", { protocol: "lane" });
    await connection.setLocalDescription();
    const sdp = changed(connection.localDescription?.sdp ?? "");
    return {
      connection,
      message: { type: "lane-signal", lane, signal: { type: "offer", data: { type: "offer", sdp } } },
    };
  };

  it("grow to seven while each step increases the throughput, and carry transfer channels", async () => {
    const arrived: string[] = [];
    ben.events.on("transfer-channel", (_from, { label }) => arrived.push(label));
    const sending = sendAll(ann);
    await pair.clock.advance(15_000);
    expect(sending.open()).toHaveLength(7);
    expect(arrived.sort()).toEqual(Array.from({ length: 8 }, (_, n) => `some-file-${n}`));
    expect([ann.violations, ben.violations]).toEqual([[], []]);
  });

  it("do not open for messages, nor for a short file", async () => {
    const sending = sendAll(ann);
    await pair.clock.advance(1_000);
    sending.stop();
    await pair.clock.advance(15_000);
    expect(pair.network.made).toHaveLength(sessionConnections);
  });

  it("end on both sides after a minute without traffic", async () => {
    const sending = sendAll(ann);
    await pair.clock.advance(15_000);
    sending.stop();
    await pair.clock.advance(50_000);
    expect(sending.open()).toHaveLength(7);
    await pair.clock.advance(30_000);
    expect(sending.open()).toEqual([]);
    expect(alive()).toHaveLength(sessionConnections);
  });

  it("are not measured when another file begins while all are open, since that takes the CPU time it needs", async () => {
    const sending = sendAll(ann);
    await pair.clock.advance(15_000);
    sending.stop();
    await pair.clock.advance(50_000);
    const looks = pair.network.made.map((connection) => vi.spyOn(connection, "getStats"));
    ann.session.openTransferChannel("other-file-0", { ordered: false });
    expect(looks.filter(({ mock }) => mock.calls.length > 0)).toEqual([]);
    await pair.clock.advance(30_000);
    for (const look of looks) look.mockClear();
    ann.session.openTransferChannel("other-file-1", { ordered: false });
    expect(looks.filter(({ mock }) => mock.calls.length > 0)).not.toEqual([]);
  });

  it("remain open for the peer's traffic when ours is done", async () => {
    const own = sendAll(ann);
    await pair.clock.advance(15_000);
    const theirs = sendAll(ben);
    await pair.clock.advance(1_000);
    own.stop();
    await pair.clock.advance(70_000);
    expect(own.open()).toHaveLength(7);
    theirs.stop();
    await pair.clock.advance(70_000);
    expect(alive()).toHaveLength(sessionConnections);
  });

  it("are reported when they fail, on whichever side notices", async () => {
    const sending = sendAll(ann);
    await pair.clock.advance(6_000);
    const [first] = sending.open();
    laneAt(0).vanish();
    await pair.clock.advance(2_500);
    expect(first?.isLost).toBe(true);
    expect(sending.open()).not.toContain(first);
  });

  it("are not offered more often than the peer accepts, however often they fail on a fast path", async () => {
    const later = (turn: () => void) => void pair.clock.after(100, turn);
    pair.network.path.channelOptions = { turnBytes: 1_024 * kib, later };
    pump(ann.session.openTransferChannel("some-file-0", { ordered: false }), 1_024 * kib);
    for (let time = 0; time < 12; time++) {
      await pair.clock.advance(4_000);
      for (const lane of pair.network.made.slice(sessionConnections)) lane.vanish();
    }
    // Each is created on both sides.
    expect(pair.network.made.length).toBeGreaterThan(sessionConnections + 2 * 14);
    expect(ben.violations).toEqual([]);
  });

  it("never exceed the page's remaining lanes, and are released when they end", async () => {
    const lanePool = new LanePool(2);
    const page = new SessionPair();
    page.lanePool = lanePool;
    const [mara] = await page.connect();
    const later = (turn: () => void) => void page.clock.after(100, turn);
    page.network.path.channelOptions = { turnBytes: 16 * kib, later };
    const sending = sendAll(mara);
    await page.clock.advance(9_000);
    expect(sending.open()).toHaveLength(2);
    expect(lanePool.take()).toBe(false);
    mara.session.close();
    expect([1, 2, 3].map(() => lanePool.take())).toEqual([true, true, false]);
  });

  it("close with the session", async () => {
    sendAll(ann);
    await pair.clock.advance(15_000);
    const ofLanes = pair.network.made.slice(sessionConnections);
    expect(ofLanes).toHaveLength(14);
    ann.session.close();
    await pair.clock.advance(1_000);
    expect(new Set(ofLanes.map(({ signalingState }) => signalingState))).toEqual(new Set(["closed"]));
  });

  it("are limited to seven at once and 32 a minute, even if the peer offers more", async () => {
    const accepted = () => pair.network.made.length - sessionConnections - offered;
    let offered = 0;
    const offer = async (isEnded: boolean) => {
      const lane = `lane-number-${offered++}`;
      await says((await offerOf(lane)).message);
      if (isEnded) await says({ type: "lane-close", lane });
    };
    for (let n = 0; n < 12; n++) await offer(false);
    expect(accepted()).toBe(7);
    for (let n = 0; n < 7; n++) await says({ type: "lane-close", lane: `lane-number-${n}` });
    for (let n = 0; n < 40; n++) await offer(true);
    expect(accepted()).toBe(32);
    expect(ann.violations).toEqual([]);
  });

  it("are limited to 32 a minute also if the peer connects again meanwhile", async () => {
    let offered = 0;
    const offer = async () => {
      const lane = `lane-number-${offered++}`;
      await says((await offerOf(lane)).message);
      await says({ type: "lane-close", lane });
    };
    for (let n = 0; n < 30; n++) await offer();
    pair.kill(0);
    await pair.clock.advance(1_000);
    expect(ann.session.state.ready).toBe(true);
    const before = pair.network.made.length + 10;
    for (let n = 0; n < 10; n++) await offer();
    expect(pair.network.made.length - before).toBe(2);
  });

  it("reject a second description, and one with media", async () => {
    const { message } = await offerOf("some-lane");
    await says(message);
    await says(message);
    await says((await offerOf("other-lane", (sdp) => `${sdp}m=video 9 UDP/TLS/RTP/SAVPF 96\r\n`)).message);
    expect(ann.violations).toEqual(["lane described twice", "lane with media"]);
  });

  it("close channels of an unknown protocol, and those over 64", async () => {
    sendAll(ann);
    await pair.clock.advance(4_000);
    const atBen =
      alive().find(({ channels }) => channels.some(({ label }) => label === "lane")) ?? expect.fail();
    const stray = atBen.createDataChannel("x", { protocol: "message" });
    await pair.clock.advance(1_000);
    expect(stray.readyState).toBe("closed");
    expect([...ann.violations, ...ben.violations]).toEqual(["unexpected channel on a lane"]);
    for (let n = 0; n < 70; n++) atBen.createDataChannel(`f-${n}`, { protocol: "transfer" });
    await pair.clock.advance(1_000);
    expect([...ann.violations, ...ben.violations]).toContain("too many channels");
  });

  it("are closed if the peer does not answer", async () => {
    await says((await offerOf("half-a-lane")).message);
    expect(alive()).toHaveLength(sessionConnections + 2);
    await pair.clock.advance(10_000);
    expect(alive()).toHaveLength(sessionConnections + 1);
  });

  it("are not opened before the peer's profile has arrived", async () => {
    const world = new SessionPair();
    world.firstFrame = "send-text";
    const [mara, jun] = await world.open();
    mara.session.connect();
    await world.rest();
    const { message } = await offerOf("too-early");
    const envelope = { id: "lane-message", client: benId, target: annId, createdAt: 1 };
    jun.session.send({ ...envelope, ...message } as PeerMessage);
    await world.rest();
    expect(mara.violations).toContain("no profile");
    expect(world.network.made).toHaveLength(sessionConnections);
  });
});
