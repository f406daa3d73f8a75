import type { PeerMessageOf } from "@warren/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Call } from "../call/call.ts";
import type { RemoteSource } from "../call/call-state.ts";
import { peersOf } from "../room/room-state.ts";
import { settle } from "../testing/fake-clock.ts";
import { FakePeerConnection } from "../testing/fake-peer-connection.ts";
import { fakeTrack } from "../testing/fake-track.ts";
import { type TestPerson, TestWorld } from "../testing/test-world.ts";

const hd = { width: 1920, height: 1080 };
const viewer = {};

let world: TestWorld;
let mara: TestPerson;
let jun: TestPerson;

beforeEach(async () => {
  world = new TestWorld();
  await import("../call/call.ts");
  await import("../call/codec-preferences.ts");
  [mara, jun] = await world.twoPeers();
});

const screenTrack = (label = "Report") => fakeTrack("video", label, hd);
const microphoneTrack = () => fakeTrack("audio", "Headset");

/** A person's connection to another, the newest if there were several. */
function connectionOf(person: TestPerson, other: TestPerson): FakePeerConnection {
  const connection = person.warren.room.mediaOf(other.id);
  if (connection === null) throw new Error("not connected");
  return connection as unknown as FakePeerConnection;
}

/** The sources of others that a person sees. */
function shown(person: TestPerson): readonly RemoteSource[] {
  return person.warren.call.store.getState()?.store.getState().remote ?? [];
}

function callOf(person: TestPerson): Call {
  const call = person.warren.call.store.getState();
  if (call === null) throw new Error("no call");
  return call;
}

/** The source that a person sees under a name. */
function find(person: TestPerson, label: string): RemoteSource {
  const source = shown(person).find((one) => one.label === label);
  if (source === undefined) throw new Error(`nothing called ${label}`);
  return source;
}

/** The encoding of a source sent from one to the other. */
function encoding(from: TestPerson, to: TestPerson, track: MediaStreamTrack) {
  const transceiver = connectionOf(from, to).transceivers.find(({ sender }) => sender.track === track);
  return transceiver?.sender.encodings[0];
}

/** Waits until a person sees `count` sources with their tracks. */
const untilShown = (person: TestPerson, count: number) =>
  world.until(() => shown(person).length === count && shown(person).every(({ track }) => track !== null));

describe("leaving", () => {
  it("stops what is shared, closes eyes and ears, and calls nobody any more", async () => {
    const call = await mara.warren.call.open();
    const track = microphoneTrack();
    call.share({ kind: "microphone", track });
    call.setAudience([jun.id]);
    call.setAudioEnabled(true);
    call.setVideoEnabled(true);
    mara.warren.call.ringing.ring([jun.id], { video: false, toRoom: false });
    mara.warren.call.leave();
    expect(call.store.getState()).toMatchObject({
      ...{ local: [], audience: null, isAudioEnabled: false, isVideoEnabled: false },
    });
    expect(track.readyState).toBe("ended");
    expect(mara.warren.call.ringing.store.getState()).toMatchObject({ outgoing: null, partner: null });
  });

  it("ends the start of devices that is under way, as do another start and the end of the room", async () => {
    const { call, room } = mara.warren;
    const left = call.beginStart();
    expect(left()).toBe(true);
    call.leave();
    expect(left()).toBe(false);
    const replaced = call.beginStart();
    const last = call.beginStart();
    expect([replaced(), last()]).toEqual([false, true]);
    await room.leave();
    expect(last()).toBe(false);
  });
});

describe("how long a call lasts", () => {
  it("counts from when another is there, through pauses of theirs, until leaving", async () => {
    const call = await mara.warren.call.open();
    const since = () => call.store.getState().sinceMs;
    call.share({ kind: "microphone", track: microphoneTrack() });
    expect(since()).toBe(null);
    await untilShown(jun, 1);
    // Jun shares nothing and has pressed nothing.
    expect(callOf(jun).store.getState().sinceMs).toBe(null);
    const before = world.clock.now();
    const voice = callOf(jun).share({ kind: "microphone", track: microphoneTrack() });
    await untilShown(mara, 1);
    const began = since();
    expect(began).toBeGreaterThanOrEqual(before);
    callOf(jun).stop(voice);
    await world.until(() => shown(mara).length === 0);
    await world.clock.advance(5_000);
    callOf(jun).share({ kind: "microphone", track: microphoneTrack() });
    await untilShown(mara, 1);
    expect(since()).toBe(began);
    call.leave();
    expect(since()).toBe(null);
  });
});

describe("a call to one of several", () => {
  it("shares with that one only, also what is started later, and with everyone once it is over", async () => {
    const ida = await world.person("Ida");
    await ida.warren.room.join();
    await Promise.all([world.untilMet(mara, ida), world.untilMet(jun, ida)]);
    const call = await mara.warren.call.open();
    call.setAudience([jun.id]);
    call.share({ kind: "microphone", track: microphoneTrack() });
    await untilShown(jun, 1);
    await settle();
    expect(shown(ida)).toEqual([]);
    call.share({ kind: "screen", track: screenTrack() });
    await untilShown(jun, 2);
    expect(shown(ida)).toEqual([]);
    call.setAudience(null);
    await untilShown(ida, 2);
    call.setAudience([ida.id]);
    await untilShown(jun, 0);
    expect(shown(ida)).toHaveLength(2);
  });

  it("neither hears nor sees others who share meanwhile, until it is over", async () => {
    const ida = await world.person("Ida");
    await ida.warren.room.join();
    await Promise.all([world.untilMet(mara, ida), world.untilMet(jun, ida)]);
    const call = await mara.warren.call.open();
    call.setAudience([jun.id]);
    call.setAudioEnabled(true);
    const idas = await ida.warren.call.open();
    idas.share({ kind: "microphone", track: microphoneTrack() });
    (await jun.warren.call.open()).share({ kind: "microphone", track: microphoneTrack() });
    await untilShown(jun, 1);
    await untilShown(mara, 1);
    await settle();
    expect(shown(mara).map(({ from }) => from)).toEqual([jun.id]);
    const listeners = () => idas.store.getState().local.flatMap(({ watchers }) => watchers);
    expect(listeners()).toEqual([]);
    call.setAudience(null);
    await untilShown(mara, 2);
    await world.until(() => listeners().includes(mara.id));
  });

  it("lets nobody who calls be heard or seen before the answer, also by one who hears the room", async () => {
    const call = await mara.warren.call.open();
    call.setAudioEnabled(true);
    const juns = await jun.warren.call.open();
    jun.warren.call.ringing.ring([mara.id], { video: false, toRoom: false });
    juns.setAudience([mara.id]);
    juns.share({ kind: "microphone", track: microphoneTrack() });
    const { ringing } = mara.warren.call;
    await world.until(() => ringing.isUnanswered(jun.id));
    await settle();
    const listeners = () => juns.store.getState().local.flatMap(({ watchers }) => watchers);
    expect(shown(mara)).toEqual([]);
    expect(listeners()).toEqual([]);
    ringing.join(jun.id);
    await untilShown(mara, 1);
    await world.until(() => listeners().includes(mara.id));
  });

  it.each([
    ["declined", () => mara.warren.call.ringing.decline(jun.id)],
    ["given up by the caller", () => jun.warren.call.ringing.hangUp()],
    ["rung for again", () => jun.warren.call.ringing.ring([mara.id], { video: true, toRoom: false })],
  ])("lets nobody be heard whose call was %s, until it has stopped sharing", async (_how, end) => {
    const call = await mara.warren.call.open();
    call.setAudioEnabled(true);
    const juns = await jun.warren.call.open();
    const { ringing } = mara.warren.call;
    let heard = 0;
    call.store.subscribe(({ remote }) => (heard = Math.max(heard, remote.length)));
    jun.warren.call.ringing.ring([mara.id], { video: false, toRoom: false });
    juns.setAudience([mara.id]);
    const id = juns.share({ kind: "microphone", track: microphoneTrack() });
    await world.until(() => ringing.isUnanswered(jun.id));
    await settle();
    end();
    await settle();
    expect(heard).toBe(0);
    jun.warren.call.ringing.hangUp();
    juns.stop(id);
    await world.until(() => !ringing.isUnanswered(jun.id));
    juns.setAudience(null);
    juns.share({ kind: "microphone", track: microphoneTrack() });
    await untilShown(mara, 1);
  });

  it("rings at that one only, whose answer reaches the caller", async () => {
    mara.warren.call.ringing.ring([jun.id], { video: true, toRoom: false });
    const incoming = () => jun.warren.call.ringing.store.getState().incoming;
    await world.until(() => incoming().length === 1);
    expect(incoming()).toMatchObject([{ from: mara.id, video: true, toRoom: false }]);
    jun.warren.call.ringing.join(mara.id);
    await world.until(() => mara.warren.call.ringing.store.getState().partner === jun.id);
  });
});

describe("a shared screen", () => {
  it("arrives with its label and size, and is not encoded before it is viewed", async () => {
    const call = await mara.warren.call.open();
    const track = screenTrack();
    call.share({ kind: "screen", track });
    await untilShown(jun, 1);
    expect(find(jun, "Report")).toMatchObject({ from: mara.id, kind: "screen", ...hd, muted: false });
    expect(encoding(mara, jun, track)?.active).toBe(false);
  });

  it("is encoded at the viewed size, and stops when it is no longer viewed", async () => {
    const call = await mara.warren.call.open();
    const track = screenTrack();
    const id = call.share({ kind: "screen", track });
    await untilShown(jun, 1);
    const { key } = find(jun, "Report");
    callOf(jun).setVideoEnabled(true);
    callOf(jun).show(key, viewer, { width: 960, height: 540 });
    await world.until(() => encoding(mara, jun, track)?.active === true);
    expect(encoding(mara, jun, track)).toMatchObject({ scaleResolutionDownBy: 2, maxFramerate: 30 });
    expect(call.store.getState().local.find((source) => source.id === id)?.watchers).toEqual([jun.id]);
    callOf(jun).setPaused(key, true);
    await world.until(() => encoding(mara, jun, track)?.active === false);
    expect(call.store.getState().local[0]?.watchers).toEqual([]);
    expect(find(jun, "Report").paused).toBe(true);
  });

  it("is played without delay, while a face may wait to be smooth", async () => {
    const call = await mara.warren.call.open();
    call.share({ kind: "screen", track: screenTrack() });
    call.share({ kind: "camera", track: fakeTrack("video", "Front", hd) });
    await untilShown(jun, 2);
    const delayOf = (label: string) => {
      const { track } = find(jun, label);
      const receivers = connectionOf(jun, mara).transceivers.map(({ receiver }) => receiver);
      return receivers.find((one) => (one.track as unknown) === track)?.jitterBufferTarget;
    };
    expect(delayOf("Report")).toBe(0);
    expect(delayOf("Front")).toBe(null);
  });

  it("keeps its size when it is text, and its motion when it moves, where the encoder cannot keep up", async () => {
    const call = await mara.warren.call.open();
    const id = call.share({ kind: "screen", track: screenTrack(), preset: "text" });
    await untilShown(jun, 1);
    const sender = connectionOf(mara, jun).transceivers[0]?.sender;
    await world.until(() => sender?.degradationPreference === "maintain-resolution");
    call.setPreset(id, "motion");
    await world.until(() => sender?.degradationPreference === "maintain-framerate");
    call.setPreset(id, "automatic");
    await world.until(() => sender?.degradationPreference === "balanced");
  });

  it("goes with its sound, and neither touches another screen", async () => {
    const call = await mara.warren.call.open();
    const first = call.share({ kind: "screen", track: screenTrack("First") });
    call.share({ kind: "screen-sound", track: fakeTrack("audio", "First sound"), screen: first });
    call.share({ kind: "screen", track: screenTrack("Second") });
    await untilShown(jun, 3);
    const second = find(jun, "Second").track;
    expect(find(jun, "First sound").screen).toBe(find(jun, "First").key);
    call.stop(first);
    await untilShown(jun, 1);
    expect(find(jun, "Second").track).toBe(second);
    expect(connectionOf(jun, mara).transceivers.map(({ currentDirection }) => currentDirection)).toEqual([
      "inactive",
      "inactive",
      "recvonly",
    ]);
  });

  it("reuses the transceiver of an ended one", async () => {
    const call = await mara.warren.call.open();
    for (let round = 0; round < 5; round++) {
      const id = call.share({ kind: "screen", track: screenTrack(`Screen ${round}`) });
      await untilShown(jun, 1);
      expect(shown(jun)[0]?.label).toBe(`Screen ${round}`);
      call.stop(id);
      await untilShown(jun, 0);
    }
    expect(connectionOf(mara, jun).transceivers).toHaveLength(1);
  });

  it("has the smallest size for a viewer that does not report a size", async () => {
    const call = await mara.warren.call.open();
    const connection = connectionOf(jun, mara);
    // As a client without calls: it receives sources and sends nothing.
    for (const channel of connection.channels) channel.send = () => {};
    const track = screenTrack();
    call.share({ kind: "screen", track });
    await world.until(() => encoding(mara, jun, track)?.active === true);
    expect(encoding(mara, jun, track)).toMatchObject({ scaleResolutionDownBy: 6, maxFramerate: 5 });
  });

  it("is stopped on the sharing side when the person leaves the room", async () => {
    const call = await mara.warren.call.open();
    const track = screenTrack();
    call.share({ kind: "screen", track });
    await untilShown(jun, 1);
    mara.warren.room.leave();
    expect(track.readyState).toBe("ended");
    expect(mara.warren.call.store.getState()).toBe(null);
    // A picker that was still open meanwhile.
    const late = screenTrack();
    expect(() => call.share({ kind: "screen", track: late })).toThrow("connection is closed");
    expect(late.readyState).toBe("ended");
    await untilShown(jun, 0);
  });
});

describe("devices", () => {
  it.each([
    ["stopping them", (call: Call) => call.store.getState().local.map(({ id }) => call.stop(id))],
    ["leaving the room", () => mara.warren.room.leave()],
    ["closing the tab", () => mara.vanish()],
  ] as const)("are off after %s, and their pictures are gone elsewhere within 200 ms", async (_how, end) => {
    const call = await mara.warren.call.open();
    const tracks = [fakeTrack("video", "Front", hd), microphoneTrack(), screenTrack()];
    for (const [index, kind] of (["camera", "microphone", "screen"] as const).entries())
      call.share({ kind, track: tracks[index] as MediaStreamTrack });
    await untilShown(jun, 3);
    end(call);
    expect(tracks.map(({ readyState }) => readyState)).toEqual(["ended", "ended", "ended"]);
    await world.clock.advance(200);
    expect(shown(jun)).toEqual([]);
  });
});

describe("a browser that cannot parse an offer of media", () => {
  const peerOf = (person: TestPerson, other: TestPerson) =>
    peersOf(person.warren.room.store.getState())[other.id];

  it("reports it, and is met again after growing pauses, until nothing of the kind is shared", async () => {
    const take = FakePeerConnection.prototype.setRemoteDescription;
    const refusing = vi
      .spyOn(FakePeerConnection.prototype, "setRemoteDescription")
      .mockImplementation(function (this: FakePeerConnection, description) {
        const hasMedia = description.type === "offer" && description.sdp?.includes("m=video");
        return hasMedia
          ? Promise.reject(new DOMException("Failed to parse", "OperationError"))
          : take.call(this, description);
      });
    const refusedAt: number[] = [];
    let error: unknown = null;
    jun.warren.room.store.subscribe(() => {
      const peer = peerOf(jun, mara);
      if (peer?.error?.code !== "description-invalid" || peer.error === error) return;
      error = peer.error;
      refusedAt.push(world.clock.now());
    });
    const call = await mara.warren.call.open();
    const id = call.share({ kind: "screen", track: screenTrack() });
    for (let minute = 0; minute < 5; minute++) await world.clock.advance(60_000);
    const pauses = refusedAt.slice(1).map((at, index) => at - (refusedAt[index] ?? 0));
    expect(error).toEqual({ code: "description-invalid", values: { type: "offer" } });
    expect(peerOf(mara, jun)?.error).toEqual({ code: "media-refused", values: {} });
    expect(pauses.length).toBeGreaterThan(10);
    expect(pauses.slice(0, 5).every((pause, index) => pause < (pauses[index + 1] ?? 0))).toBe(true);
    expect(Math.min(...pauses.slice(6))).toBeGreaterThan(10_000);

    call.stop(id);
    await world.clock.advance(31_000);
    await world.untilMet(mara, jun);
    expect(peerOf(jun, mara)?.error).toBe(null);
    await world.clock.advance(31_000);
    refusing.mockRestore();
    // A connection that lasted counts: the next one that breaks is replaced at once.
    connectionOf(mara, jun).close();
    await world.clock.advance(1_000);
    expect(peerOf(jun, mara)?.ready).toBe(true);
    call.share({ kind: "screen", track: screenTrack() });
    await untilShown(jun, 1);
  });
});

describe("a processor that cannot keep up", () => {
  it("has a picture encoded smaller and with a cheaper codec after a minute, until another preset is chosen", async () => {
    const call = await mara.warren.call.open();
    const track = fakeTrack("video", "Front", { width: 1280, height: 720 });
    const id = call.share({ kind: "camera", track });
    const steps: string[] = [];
    call.on("stepped-down", ({ label }) => steps.push(label));
    await untilShown(jun, 1);
    callOf(jun).setVideoEnabled(true);
    callOf(jun).show(find(jun, "Front").key, viewer, { width: 1280, height: 720 });
    await world.until(() => encoding(mara, jun, track)?.active === true);
    const { moreStats, transceivers } = connectionOf(mara, jun);
    const [transceiver] = transceivers;
    if (transceiver === undefined) throw new Error("nothing is sent");
    transceiver.sender.codecs = ["video/VP9", "video/VP8"].map((mimeType, index) => ({
      ...{ mimeType, clockRate: 90_000, payloadType: 96 + index },
    }));
    moreStats.push({ type: "outbound-rtp", mid: transceiver.mid, qualityLimitationReason: "cpu" });
    await world.clock.advance(50_000);
    expect(encoding(mara, jun, track)).not.toHaveProperty("codec");
    await world.clock.advance(15_000);
    expect(steps).toEqual(["Front"]);
    expect(encoding(mara, jun, track)).toMatchObject({
      codec: { mimeType: "video/VP8", clockRate: 90_000 },
      scaleResolutionDownBy: 1.5,
      maxFramerate: 15,
    });
    call.setPreset(id, "low");
    await world.until(() => encoding(mara, jun, track)?.maxFramerate === 30);
    expect(encoding(mara, jun, track)).not.toHaveProperty("codec");
  });
});

describe("a camera", () => {
  it("is sent as motion, which may lose sharpness rather than frames", async () => {
    const call = await mara.warren.call.open();
    const track = fakeTrack("video", "Front", { width: 1280, height: 720 });
    call.share({ kind: "camera", track });
    expect(track.contentHint).toBe("motion");
  });

  it("is captured at the size of its preset", async () => {
    const call = await mara.warren.call.open();
    const track = fakeTrack("video", "Front", { width: 1280, height: 720 });
    const id = call.share({ kind: "camera", track });
    await untilShown(jun, 1);
    call.setPreset(id, "high");
    await world.until(() => find(jun, "Front").height === 1080);
    expect(track.getSettings()).toMatchObject({ width: 1920, height: 1080 });
  });
});

describe("both sharing at the same moment", () => {
  it("leads to both being seen", async () => {
    const [ofMara, ofJun] = [await mara.warren.call.open(), await jun.warren.call.open()];
    ofMara.share({ kind: "screen", track: screenTrack("Mara's") });
    ofJun.share({ kind: "screen", track: screenTrack("Jun's") });
    await untilShown(jun, 1);
    await untilShown(mara, 1);
    expect(find(jun, "Mara's").from).toBe(mara.id);
    expect(find(mara, "Jun's").from).toBe(jun.id);
    expect(find(jun, "Mara's").track).not.toBe(find(mara, "Jun's").track);
  });
});

describe("a voice", () => {
  it("is sent only after the other agreed to listen, and not while it is muted", async () => {
    const call = await mara.warren.call.open();
    const track = microphoneTrack();
    const id = call.share({ kind: "microphone", track });
    await untilShown(jun, 1);
    expect(encoding(mara, jun, track)?.active).toBe(false);
    callOf(jun).setAudioEnabled(true);
    await world.until(() => encoding(mara, jun, track)?.active === true);
    call.setMuted(id, true);
    await world.until(() => find(jun, "Headset").muted);
    expect(track.enabled).toBe(false);
    expect(encoding(mara, jun, track)?.active).toBe(false);
    call.setMuted(id, false);
    callOf(jun).setVolume(find(jun, "Headset").key, 0);
    await world.clock.advance(2_000);
    expect(encoding(mara, jun, track)?.active).toBe(false);
  });

  it("is marked while its owner speaks", async () => {
    const call = await mara.warren.call.open();
    call.share({ kind: "microphone", track: microphoneTrack() });
    await untilShown(jun, 1);
    callOf(jun).setAudioEnabled(true);
    const [transceiver] = connectionOf(jun, mara).transceivers;
    if (transceiver) transceiver.receiver.level = 0.4;
    await world.clock.advance(400);
    const { key } = find(jun, "Headset");
    expect(callOf(jun).store.getState().speaking).toEqual([key]);
    if (transceiver) transceiver.receiver.level = 0;
    await world.clock.advance(1_200);
    expect(callOf(jun).store.getState().speaking).toEqual([]);
  });
});

describe("an unplugged device", () => {
  it("is reported, shown as muted to others, and replaced by another track", async () => {
    const call = await mara.warren.call.open();
    const ended: string[] = [];
    call.on("ended", ({ kind }) => ended.push(kind));
    const track = microphoneTrack();
    const id = call.share({ kind: "microphone", track });
    await untilShown(jun, 1);
    track.unplug();
    expect(ended).toEqual(["microphone"]);
    expect(call.store.getState().local[0]?.lost).toBe(true);
    await world.until(() => find(jun, "Headset").muted);
    const other = fakeTrack("audio", "Desk");
    call.replaceTrack(id, other);
    await world.until(() => shown(jun)[0]?.label === "Desk" && shown(jun)[0]?.muted === false);
    expect(connectionOf(mara, jun).transceivers[0]?.sender.track).toBe(other);
  });

  it("ends a screen that was stopped in the browser's own bar, and its audio", async () => {
    const call = await mara.warren.call.open();
    const track = screenTrack();
    const sound = fakeTrack("audio", "Sound");
    const screen = call.share({ kind: "screen", track });
    call.share({ kind: "screen-sound", track: sound, screen });
    track.unplug();
    expect(call.store.getState().local).toEqual([]);
    expect(sound.readyState).toBe("ended");
  });
});

describe("a member that joins later", () => {
  it("receives the sources already shared", async () => {
    const call = await mara.warren.call.open();
    call.share({ kind: "screen", track: screenTrack() });
    call.share({ kind: "microphone", track: microphoneTrack() });
    const noor = await world.person("Noor");
    await noor.warren.room.join();
    await world.untilMet(mara, noor);
    await untilShown(noor, 2);
    expect(shown(noor).map(({ kind }) => kind)).toEqual(["screen", "microphone"]);
  });
});

describe("a lost connection", () => {
  it("restores both sides' sources automatically, over a new one", async () => {
    const track = screenTrack();
    (await mara.warren.call.open()).share({ kind: "screen", track });
    (await jun.warren.call.open()).share({ kind: "microphone", track: microphoneTrack() });
    await untilShown(jun, 1);
    await untilShown(mara, 1);
    const { key, track: before } = find(jun, "Report");
    callOf(jun).setVideoEnabled(true);
    callOf(jun).show(key, viewer, hd);
    const lost = connectionOf(mara, jun);
    lost.close();
    await world.until(() => find(jun, "Report").track === null);
    await world.untilMet(mara, jun);
    await untilShown(jun, 1);
    await untilShown(mara, 1);
    expect(connectionOf(mara, jun)).not.toBe(lost);
    expect(find(jun, "Report").key).toBe(key);
    expect(find(jun, "Report").track).not.toBe(before);
    expect(track.readyState).toBe("live");
    await world.until(() => encoding(mara, jun, track)?.active === true);
  });
});

describe("what a hostile client reports about its sources", () => {
  const source = { id: "source-01", kind: "screen", label: "Report", mid: "0", ...hd } as const;
  type Sources = PeerMessageOf<"media-sources">["sources"];

  const sendSources = (seq: number, sources: Sources) =>
    mara.warren.room.send(jun.id, { type: "media-sources", seq, sources });

  /** The breaches that Jun counts from now on. */
  const breaches = () => {
    const counted: string[] = [];
    vi.spyOn(jun.warren.room, "reportViolation").mockImplementation((_from, issue) => counted.push(issue));
    return counted;
  };

  it("is left out if the mid does not exist, which is a breach", async () => {
    const counted = breaches();
    sendSources(0, [{ ...source, mid: "no-such" }]);
    await world.clock.advance(1_000);
    expect(shown(jun)).toEqual([]);
    expect(counted).toEqual(["source without a section"]);
  });

  it("is left out if the track is of another kind than announced, which is a breach", async () => {
    const counted = breaches();
    (await mara.warren.call.open()).share({ kind: "microphone", track: microphoneTrack() });
    await untilShown(jun, 1);
    sendSources(9, [source]);
    await world.clock.advance(1_000);
    expect(shown(jun)).toEqual([]);
    expect(counted).toEqual(["source without a section"]);
  });

  it("is ignored if its list is older than the last, which is a breach", async () => {
    const counted = breaches();
    (await mara.warren.call.open()).share({ kind: "screen", track: screenTrack() });
    await untilShown(jun, 1);
    const newest = { ...source, mid: connectionOf(mara, jun).transceivers[0]?.mid ?? "" };
    sendSources(7, [{ ...newest, label: "Newest" }]);
    sendSources(3, [{ ...newest, label: "Older" }]);
    await world.clock.advance(1_500);
    sendSources(7, [{ ...newest, label: "The same number" }]);
    await world.clock.advance(1_500);
    expect(shown(jun).map(({ label }) => label)).toEqual(["Newest"]);
    expect(counted).toEqual(["media-sources out of order", "media-sources out of order"]);
  });

  it("are removed if not announced", async () => {
    const counted = breaches();
    await jun.warren.call.open();
    const track = screenTrack();
    connectionOf(mara, jun).addTransceiver(track, { direction: "sendonly" });
    await world.clock.advance(2_000);
    expect(connectionOf(jun, mara).transceivers[0]?.currentDirection).toBe("recvonly");
    expect(shown(jun)).toEqual([]);
    await world.clock.advance(12_000);
    expect(connectionOf(jun, mara).transceivers[0]?.currentDirection).toBe("inactive");
    expect(counted).toEqual(["unannounced track"]);
  });

  it("are received again half a minute after they were turned off, as a slow sender reuses the section", async () => {
    await jun.warren.call.open();
    const theirs = connectionOf(mara, jun).addTransceiver(screenTrack(), { direction: "sendonly" });
    const ours = () => connectionOf(jun, mara).transceivers[0];
    await world.until(() => ours()?.currentDirection === "inactive");
    await world.clock.advance(20_000);
    expect(ours()?.currentDirection).toBe("inactive");
    await world.until(() => ours()?.currentDirection === "recvonly");
    sendSources(1, [{ ...source, mid: theirs.mid ?? "" }]);
    await untilShown(jun, 1);
    expect(shown(jun)[0]?.track).not.toBeNull();
  });

  it("stay off if their section was stopped meanwhile, and the next source has a section of its own", async () => {
    await jun.warren.call.open();
    connectionOf(mara, jun).addTransceiver(screenTrack(), { direction: "sendonly" });
    const ours = () => connectionOf(jun, mara).transceivers[0];
    await world.until(() => ours()?.currentDirection === "inactive");
    ours()?.stop();
    await world.clock.advance(60_000);
    expect(ours()?.currentDirection).toBe("stopped");
    (await mara.warren.call.open()).share({ kind: "screen", track: screenTrack() });
    await untilShown(jun, 1);
  });

  it("end with the section of a source, which the next source does not get", async () => {
    const call = await mara.warren.call.open();
    call.share({ kind: "screen", track: screenTrack() });
    await untilShown(jun, 1);
    const sections = () => connectionOf(mara, jun).transceivers;
    sections()[0]?.stop();
    for (const { id } of call.store.getState().local) call.stop(id);
    call.share({ kind: "screen", track: screenTrack() });
    await world.until(() => sections()[1]?.currentDirection === "sendonly");
  });

  it("stay if they were announced and end as the time for that is over, until both have negotiated the end", async () => {
    const counted = breaches();
    (await mara.warren.call.open()).share({ kind: "screen", track: screenTrack() });
    await untilShown(jun, 1);
    sendSources(9, []);
    await world.clock.advance(12_000);
    expect(shown(jun)).toEqual([]);
    expect(connectionOf(jun, mara).transceivers[0]?.currentDirection).toBe("recvonly");
    expect(counted).toEqual([]);
  });

  it("are removed if not announced, where no call has started", async () => {
    connectionOf(mara, jun).addTransceiver(screenTrack(), { direction: "sendonly" });
    await world.clock.advance(2_000);
    expect(connectionOf(jun, mara).transceivers[0]?.currentDirection).toBe("recvonly");
    await world.until(() => connectionOf(jun, mara).transceivers[0]?.currentDirection === "inactive");
  });

  it("are turned off if they still come once nobody watches them", async () => {
    const call = await mara.warren.call.open();
    call.share({ kind: "screen", track: screenTrack() });
    call.share({ kind: "camera", track: fakeTrack("video", "Webcam") });
    await untilShown(jun, 2);
    const connection = connectionOf(jun, mara);
    const [screen, camera] = connection.transceivers;
    let bytesReceived = 0;
    const flow = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        bytesReceived += 100_000;
        connection.moreStats.splice(0, 1, { type: "inbound-rtp", mid: screen?.mid, bytesReceived });
        await world.clock.advance(1_000);
      }
    };
    callOf(jun).setVideoEnabled(true);
    callOf(jun).show(find(jun, "Report").key, viewer, hd);
    await flow(30);
    expect(screen?.currentDirection).toBe("recvonly");
    callOf(jun).setPaused(find(jun, "Report").key, true);
    await flow(4);
    await world.clock.advance(60_000);
    // An honest sender stops within seconds.
    expect(screen?.currentDirection).toBe("recvonly");
    await flow(20);
    expect(screen?.currentDirection).toBe("inactive");
    expect(camera?.currentDirection).toBe("recvonly");
  });

  it("are turned off if many still come once nobody watches them, each with few bytes", async () => {
    const call = await mara.warren.call.open();
    for (const label of ["1", "2", "3", "4"]) call.share({ kind: "screen", track: screenTrack(label) });
    await untilShown(jun, 4);
    const { moreStats, transceivers } = connectionOf(jun, mara);
    const directions = () => transceivers.map(({ currentDirection }) => currentDirection);
    const flow = async (seconds: number, framesEach: number) => {
      const before = moreStats.map((entry) => ({ bytesReceived: 0, framesDecoded: 0, ...entry }));
      for (let second = 1; second <= seconds; second++) {
        const entries = transceivers.map(({ mid }, n) => ({
          type: "inbound-rtp",
          mid,
          bytesReceived: (before[n]?.bytesReceived ?? 0) + second * 2_000,
          framesDecoded: (before[n]?.framesDecoded ?? 0) + second * framesEach,
        }));
        moreStats.splice(0, moreStats.length, ...entries);
        await world.clock.advance(1_000);
      }
    };
    await flow(40, 2);
    expect(directions()).toEqual(Array(4).fill("recvonly"));
    await flow(12, 25);
    expect(directions()).toEqual(Array(4).fill("inactive"));
  });

  it("may change at any rate, as a stalled network makes them: the last list counts", async () => {
    const counted = breaches();
    const call = await mara.warren.call.open();
    const track = screenTrack();
    call.share({ kind: "screen", track });
    await untilShown(jun, 1);
    const mid = connectionOf(mara, jun).transceivers[0]?.mid ?? "";
    for (let n = 1; n <= 60; n++) sendSources(n, [{ ...source, mid, label: `Page ${n}` }]);
    await world.clock.advance(1_000);
    expect(shown(jun).map(({ label }) => label)).toEqual(["Page 60"]);
    const { id = "" } = call.store.getState().local[0] ?? {};
    for (let n = 1; n <= 60; n++)
      jun.warren.room.send(mara.id, { type: "view-sizes", sizes: n < 60 ? [] : [{ id, ...hd }] });
    await world.until(() => encoding(mara, jun, track)?.active === true);
    expect(counted).toEqual([]);
  });

  it("get the client refused after a while at a thousand lists a second", async () => {
    await (await mara.warren.call.open()).share({ kind: "screen", track: screenTrack() });
    await untilShown(jun, 1);
    const channel = connectionOf(jun, mara).channels.find(({ label }) => label === "message");
    const envelope = { id: "some-list", client: jun.id, target: mara.id, createdAt: 1 };
    const frame = JSON.stringify({ ...envelope, type: "view-sizes", sizes: [] });
    for (let second = 0; second < 40 && channel?.readyState === "open"; second++) {
      for (let n = 0; n < 1_000; n++) channel.send(frame);
      await world.clock.advance(1_000);
    }
    const { peers } = mara.warren.room.store.getState() as { peers: Record<string, { error: unknown }> };
    expect(peers[jun.id]?.error).toMatchObject({ code: "protocol-violation" });
  });

  it("number at most eight", async () => {
    const call = await mara.warren.call.open();
    for (let n = 0; n < 8; n++) call.share({ kind: "screen", track: screenTrack(`${n}`) });
    expect(() => call.share({ kind: "screen", track: screenTrack() })).toThrow("no more can be shared");
    expect(call.store.getState().local).toHaveLength(8);
    await untilShown(jun, 8);
  });
});

describe("files beside a call", () => {
  it("are throttled while a source is viewed, and not afterwards", async () => {
    const call = await mara.warren.call.open();
    const paces: (number | null)[] = [];
    call.on("pace", (peer) => paces.push(call.filePaceTo(peer)));
    call.share({ kind: "microphone", track: microphoneTrack() });
    await untilShown(jun, 1);
    await world.clock.advance(3_000);
    expect(paces).toEqual([]);
    callOf(jun).setAudioEnabled(true);
    await world.clock.advance(5_000);
    expect(paces.length).toBeGreaterThan(0);
    callOf(jun).setAudioEnabled(false);
    await world.clock.advance(3_000);
    expect(paces.at(-1)).toBe(null);
  });
});
