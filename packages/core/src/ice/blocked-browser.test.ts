import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeNetwork } from "../testing/fake-network.ts";
import { FakePeerConnection } from "../testing/fake-peer-connection.ts";
import { SessionPair, statusesOf } from "../testing/session-pair.ts";

const never = () => new Promise<never>(() => {});
/** What an extension leaves of a call that it disables, whatever the types say. */
const nothing = (): never => undefined as never;
const denied = () => Promise.reject(new DOMException("denied", "NotAllowedError"));

type Call =
  | "createDataChannel"
  | "setLocalDescription"
  | "setRemoteDescription"
  | "addIceCandidate"
  | "getStats";

/** From now on, and on every connection, until mocks are restored. */
function replace(call: Call, by: () => Promise<never> | never | Promise<void>): void {
  vi.spyOn(FakePeerConnection.prototype, call).mockImplementation(by as () => never);
}

describe("a browser that blocks WebRTC", () => {
  let pair: SessionPair;

  beforeEach(() => {
    pair = new SessionPair();
  });
  afterEach(() => void vi.restoreAllMocks());

  it.each<[what: string, call: string, block: () => void]>([
    [
      "creates no connection",
      "RTCPeerConnection",
      () => vi.spyOn(FakeNetwork.prototype, "create").mockImplementation(nothing),
    ],
    ["opens no channel", "RTCPeerConnection", () => replace("createDataChannel", nothing)],
    ["returns nothing for an offer", "setLocalDescription", () => replace("setLocalDescription", nothing)],
    ["creates no offer", "setLocalDescription", () => replace("setLocalDescription", async () => {})],
    ["denies an offer", "setLocalDescription", () => replace("setLocalDescription", denied)],
    ["never creates an offer", "setLocalDescription", () => replace("setLocalDescription", never)],
    [
      "returns nothing for a description",
      "setRemoteDescription",
      () => replace("setRemoteDescription", nothing),
    ],
    ["never applies a description", "setRemoteDescription", () => replace("setRemoteDescription", never)],
  ])("and %s: one side says so, retries, and connects once it may", async (_what, call, block) => {
    const [ann, ben] = await pair.open();
    block();
    ann.session.connect();
    await pair.rest();
    await pair.clock.advance(5_000);
    const blocked = { code: "webrtc-blocked", values: { call } };
    const errors = () => [ann, ben].map(({ session }) => session.state.error);
    expect(errors()).toContainEqual(blocked);
    await pair.clock.advance(60_000);
    expect(errors()).toContainEqual(blocked);
    vi.restoreAllMocks();
    await pair.clock.advance(35_000);
    expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
    expect(errors()).toEqual([null, null]);
  });

  it("and never applies a later description gets another connection", async () => {
    const [ann, ben] = await pair.connect();
    replace("setRemoteDescription", never);
    pair.network.made[0]?.restartIce();
    await pair.rest();
    vi.restoreAllMocks();
    expect(ben.history.at(-1)).toMatchObject({ session: "connected", error: null });
    await pair.clock.advance(5_000);
    expect(ben.history.map(({ error }) => error?.code)).toContain("webrtc-blocked");
    await pair.clock.advance(35_000);
    expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
    expect(pair.network.made).toHaveLength(4);
  });

  it.each([
    ["nothing", nothing],
    ["a denial", denied],
  ])("is connected to where adding an address returns %s", async (_what, by) => {
    const [ann, ben] = await pair.open();
    const add = FakePeerConnection.prototype.addIceCandidate;
    vi.spyOn(FakePeerConnection.prototype, "addIceCandidate").mockImplementation(function (
      this: FakePeerConnection,
      candidate,
    ) {
      void add.call(this, candidate);
      return by();
    });
    ann.session.connect();
    await pair.rest();
    expect(statusesOf(ann, ben)).toEqual(["connected", "connected"]);
  });

  it.each([
    ["nothing", nothing],
    ["no report", async () => undefined as never],
    ["no answer", never],
  ])("carries messages where statistics are %s, and says why there are none", async (_what, by) => {
    replace("getStats", by);
    const [ann, ben] = await pair.connect();
    ben.session.send({ type: "request-storage" });
    await pair.rest();
    expect(ann.messages.at(-1)).toMatchObject({ type: "request-storage" });
    const stats = expect(ann.session.getStats()).rejects.toMatchObject({
      code: "webrtc-blocked",
      values: { call: "getStats" },
    });
    await pair.clock.advance(5_000);
    await stats;
    expect(ann.session.state).toMatchObject({ session: "connected", route: null });
  });
});
