import { type Signal, WarrenError } from "@warren/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Emitter } from "../shared/emitter.ts";
import type { SignalLink, SignalLinkEvents } from "../signalling/signal-link.ts";
import { FakeClock, settle } from "../testing/fake-clock.ts";
import { FakeNetwork } from "../testing/fake-network.ts";
import type { FakePeerConnection } from "../testing/fake-peer-connection.ts";
import { Negotiator } from "./negotiator.ts";

interface Side {
  readonly connection: FakePeerConnection;
  readonly negotiator: Negotiator;
  readonly sent: Signal[];
  readonly failures: WarrenError[];
  /** Delivers a signal to this side, as if sent by the other. */
  readonly receive: (signal: Signal) => void;
}

describe("negotiation", () => {
  let network: FakeNetwork;
  let clock: FakeClock;
  /** Whether signals are delivered automatically. */
  let passing: boolean;

  beforeEach(() => {
    network = new FakeNetwork();
    passing = true;
    clock = new FakeClock();
  });

  const makeSide = (polite: boolean, toOther: (signal: Signal) => void): Side => {
    const peerConnection = network.createPeerConnection({});
    const connection = network.made.at(-1);
    if (connection === undefined) throw new Error("no connection");
    const sent: Signal[] = [];
    const failures: WarrenError[] = [];
    const events = new Emitter<SignalLinkEvents>();
    const link: SignalLink = {
      on: events.on.bind(events),
      send: (signal) => {
        sent.push(signal);
        if (passing) queueMicrotask(() => toOther(signal));
      },
      start: () => {},
      binding: null,
      close: () => {},
    };
    const negotiator = new Negotiator({
      peerId: "other",
      connection: peerConnection,
      link,
      isPolite: () => polite,
      clock,
    });
    negotiator.on("failed", (error) => failures.push(error));
    negotiator.start();
    return { connection, negotiator, sent, failures, receive: (signal) => events.emit("signal", signal) };
  };
  const makeSides = (): [Side, Side] => {
    const sides: Side[] = [];
    const impolite = makeSide(false, (signal) => sides.at(1)?.receive(signal));
    const polite = makeSide(true, (signal) => sides.at(0)?.receive(signal));
    sides.push(impolite, polite);
    return [impolite, polite];
  };

  it("connects after one offer and one answer", async () => {
    const [impolite, polite] = makeSides();
    impolite.connection.createDataChannel("x");
    await settle();
    await settle();
    expect(impolite.connection.iceConnectionState).toBe("connected");
    expect(polite.sent.map(({ type }) => type)).toEqual(["answer", "candidate"]);
    expect([...impolite.failures, ...polite.failures]).toEqual([]);
  });

  it("resolves two simultaneous offers: the impolite one is answered, then the polite side repeats its own", async () => {
    passing = false;
    const [impolite, polite] = makeSides();
    impolite.connection.createDataChannel("x");
    polite.connection.createDataChannel("y");
    await settle();
    const types = (side: Side) => side.sent.map(({ type }) => type).filter((type) => type !== "candidate");
    expect([types(impolite), types(polite)]).toEqual([["offer"], ["offer"]]);
    const crossing = [impolite.sent.splice(0), polite.sent.splice(0)];
    passing = true;
    for (const signal of crossing[0] ?? []) polite.receive(signal);
    for (const signal of crossing[1] ?? []) impolite.receive(signal);
    await settle();
    await settle();
    expect([types(impolite), types(polite)]).toEqual([["answer"], ["answer", "offer"]]);
    expect([impolite.connection.signalingState, polite.connection.signalingState]).toEqual([
      "stable",
      "stable",
    ]);
    expect(impolite.connection.iceConnectionState).toBe("connected");
    expect([...impolite.failures, ...polite.failures]).toEqual([]);
  });

  it.each(["has sent", "is still making"])(
    "takes the other's offer in place of the one it %s, without extensions whose id stands for another one in that",
    async (progress) => {
      const [, polite] = makeSides();
      const other = makeSide(false, () => {});
      passing = false;
      other.connection.createDataChannel("x");
      await settle();
      let make = (): void => {};
      const made = new Promise<void>((resolve) => {
        make = resolve;
      });
      const native = polite.connection.setLocalDescription.bind(polite.connection);
      const extmap = (sdp: string, line: string) => sdp.replace(/$/, `a=extmap:2 ${line}\r\n`);
      vi.spyOn(polite.connection, "setLocalDescription").mockImplementation(async () => {
        await native();
        await made;
        const { localDescription } = polite.connection;
        if (localDescription?.type === "offer")
          Object.assign(localDescription, { sdp: extmap(localDescription.sdp, "urn:ours") });
      });
      const applied = vi.spyOn(polite.connection, "setRemoteDescription");
      polite.connection.createDataChannel("y");
      if (progress === "has sent") make();
      await settle();
      const [offer] = other.sent;
      if (offer?.type !== "offer") throw new Error("no offer");
      const sdp = extmap(offer.data.sdp, "urn:theirs");
      polite.receive({ type: "offer", data: { type: "offer", sdp } });
      await settle();
      make();
      await settle();
      expect(applied).toHaveBeenCalledExactlyOnceWith({ type: "offer", sdp: offer.data.sdp });
      expect(polite.failures).toEqual([]);
    },
  );

  it("ignores an answer while no offer is pending", async () => {
    const [impolite, polite] = makeSides();
    const before = impolite.connection.remoteDescription;
    impolite.receive({ type: "answer", data: { type: "answer", sdp: "v=0" } });
    await settle();
    expect(impolite.connection.remoteDescription).toBe(before);
    impolite.connection.createDataChannel("x");
    await settle();
    await settle();
    const applied = impolite.connection.remoteDescription;
    impolite.receive({ type: "answer", data: { type: "answer", sdp: "v=0" } });
    await settle();
    expect(impolite.connection.remoteDescription).toBe(applied);
    expect([...impolite.failures, ...polite.failures]).toEqual([]);
  });

  it("keeps candidates that arrive before their description", async () => {
    passing = false;
    const [impolite, polite] = makeSides();
    impolite.connection.createDataChannel("x");
    await settle();
    const [offer, candidate] = impolite.sent;
    if (candidate) polite.receive(candidate);
    await settle();
    if (offer) polite.receive(offer);
    await settle();
    for (const signal of polite.sent) impolite.receive(signal);
    await settle();
    expect(polite.connection.iceConnectionState).toBe("connected");
    expect(polite.failures).toEqual([]);
  });

  describe("with a peer that sends many addresses", () => {
    const candidateTo = (port: number, ufrag: string, address = "192.0.2.9"): Signal => ({
      type: "candidate",
      data: { candidate: `candidate:1 1 udp 1 ${address} ${port} typ host`, usernameFragment: ufrag },
    });
    /** The candidates that a side's browser receives from now on. */
    const added = ({ connection }: Side) => {
      const candidates: (string | undefined)[] = [];
      const add = connection.addIceCandidate.bind(connection);
      connection.addIceCandidate = async (candidate) => {
        candidates.push(candidate.candidate);
        await add(candidate).catch(() => {});
      };
      return candidates;
    };

    it("passes 32 of 280 to the browser, and none that leads to this machine", async () => {
      const [impolite, polite] = makeSides();
      passing = false;
      impolite.connection.createDataChannel("x");
      await settle();
      const candidates = added(polite);
      const [offer] = impolite.sent;
      if (offer) polite.receive(offer);
      for (let port = 1; port <= 280; port++) {
        polite.receive(candidateTo(port, impolite.connection.id, "127.0.0.1"));
        polite.receive(candidateTo(port, impolite.connection.id));
      }
      await settle();
      expect(candidates).toHaveLength(32);
      expect(candidates.join()).not.toContain("127.0.0.1");
    });

    it("passes none once connected, except after a restart", async () => {
      const [impolite, polite] = makeSides();
      impolite.connection.createDataChannel("x");
      await settle();
      await settle();
      const candidates = added(polite);
      for (let port = 1; port <= 280; port++) polite.receive(candidateTo(port, impolite.connection.id));
      await settle();
      expect(candidates).toEqual([]);
      await clock.advance(10_000);
      impolite.connection.restartIce();
      await settle();
      await settle();
      expect(candidates).toHaveLength(1);
    });
  });

  it("does not fail because of candidates of an ignored offer", async () => {
    const [impolite, polite] = makeSides();
    impolite.connection.createDataChannel("x");
    await settle();
    await settle();
    impolite.receive({ type: "candidate", data: { candidate: "candidate:9", usernameFragment: "unknown" } });
    await settle();
    expect([...impolite.failures, ...polite.failures]).toEqual([]);
  });

  it("refuses a second simultaneous offer, and any offer after closing", async () => {
    const [impolite] = makeSides();
    const first = impolite.negotiator.offer();
    await expect(impolite.negotiator.offer()).rejects.toEqual(
      new WarrenError("already-making-offer", { id: "other" }),
    );
    await first;
    impolite.negotiator.close();
    await expect(impolite.negotiator.offer()).rejects.toMatchObject({ code: "session-closed" });
  });

  it("reports a description that cannot be applied", async () => {
    const [impolite] = makeSides();
    impolite.connection.setRemoteDescription = () => Promise.reject(new TypeError("bad"));
    impolite.receive({ type: "offer", data: { type: "offer", sdp: "nonsense" } });
    await settle();
    expect(impolite.failures).toMatchObject([{ code: "description-invalid", values: { type: "offer" } }]);
  });

  it("answers 20 offers at once and one a second after that", async () => {
    passing = false;
    const [, polite] = makeSides();
    const other = makeSide(false, () => {});
    other.connection.createDataChannel("x");
    await settle();
    const offer = other.sent.find(({ type }) => type === "offer");
    if (offer === undefined) throw new Error("no offer");
    for (let i = 0; i < 100; i++) polite.receive(offer);
    const answers = () => polite.sent.filter(({ type }) => type === "answer").length;
    await clock.advance(0);
    expect(answers()).toBe(20);
    await clock.advance(3_000);
    expect(answers()).toBe(23);
    polite.negotiator.close();
    expect(clock.timerCount).toBe(0);
  });
});
