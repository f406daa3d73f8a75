import { describe, expect, it } from "vitest";
import {
  type BandwidthState,
  cheaperCodec,
  codecOrder,
  encodingOf,
  initialBandwidth,
  isProcessorBusy,
  nextBandwidth,
  type PolicySource,
  receptionOf,
  type View,
} from "./call-policy.ts";

const ceilings = { videoMaxBitrate: 128_000_000, audioMaxBitrate: 512_000 };
const hd = { width: 1920, height: 1080 };
const base = { muted: false, isSteppedDown: false };
const screen: PolicySource = { ...base, ...hd, kind: "screen", preset: "automatic" };
const camera: PolicySource = { ...base, width: 1280, height: 720, kind: "camera", preset: "standard" };
const voice: PolicySource = { ...base, width: 0, height: 0, kind: "microphone", preset: null };
const sound: PolicySource = { ...voice, kind: "screen-sound" };
const view = (width: number, height: number): View => ({ width, height });

describe("a picture", () => {
  it.each<[string, PolicySource, View, number, number, number]>([
    // Source, view; Mbit/s, frames per second, scale.
    ["a screen in full", screen, hd, 3, 30, 1],
    ["a screen in a window half as wide", screen, view(960, 540), 0.75, 30, 2],
    ["a screen in a window with margins", screen, view(1920, 540), 0.75, 30, 2],
    ["a screen in a larger view", screen, view(3840, 2160), 3, 30, 1],
    ["a screen in a slightly smaller view", screen, view(1700, 956), 3, 30, 1],
    ["text in full", { ...screen, preset: "text" }, hd, 1, 15, 1],
    ["text in a small tile", { ...screen, preset: "text" }, view(320, 180), 1, 15, 1],
    ["motion in full", { ...screen, preset: "motion" }, hd, 4.5, 30, 1],
    [
      "a screen of four times the pixels",
      { ...screen, width: 3840, height: 2160 },
      view(3840, 2160),
      3,
      30,
      1,
    ],
    ["a camera in full", camera, view(1280, 720), 0.7, 30, 1],
    ["a camera in a strip", camera, view(320, 180), 0.1, 30, 4],
    ["a camera upright", { ...camera, width: 720, height: 1280 }, view(360, 640), 0.175, 30, 2],
    ["a low camera with a larger picture", { ...camera, preset: "low" }, view(1280, 720), 0.1, 30, 2],
    ["a high camera", { ...camera, ...hd, preset: "high" }, hd, 1.8, 30, 1],
    ["a screen in a view of one pixel", screen, view(1, 1), 0.1, 30, 16],
  ])("is sent at the size of its view and preset: %s", (_, source, seen, megabits, fps, scale) => {
    const encoding = encodingOf(source, seen, 0, ceilings);
    expect(encoding.active).toBe(true);
    expect(encoding.maxBitrate / 1e6).toBeCloseTo(megabits, 3);
    expect(encoding.maxFramerate).toBe(fps);
    expect(encoding.scaleResolutionDownBy).toBe(scale);
  });

  it.each<[string, PolicySource, View]>([
    ["has no viewer", screen, "none"],
    ["has a view of size 0", screen, view(0, 0)],
    ["has a view without height", screen, view(100, 0)],
    ["is muted", { ...screen, muted: true }, hd],
    ["is a voice that is not played", voice, "none"],
    ["is a voice without a report whether it is played", voice, "unknown"],
  ])("is not encoded if it %s", (_, source, seen) => {
    expect(encodingOf(source, seen, 0, ceilings).active).toBe(false);
  });

  it("is the smallest for a peer that does not report its view", () => {
    expect(encodingOf(camera, "unknown", 0, ceilings)).toEqual({
      active: true,
      maxBitrate: 100_000,
      maxFramerate: 5,
      scaleResolutionDownBy: 4,
    });
  });

  it("stays below the user's limit", () => {
    expect(encodingOf(screen, hd, 0, { ...ceilings, videoMaxBitrate: 500_000 }).maxBitrate).toBe(500_000);
    expect(encodingOf(sound, view(1, 1), 0, { ...ceilings, audioMaxBitrate: 64_000 }).maxBitrate).toBe(
      64_000,
    );
  });

  it("is smaller and slower if the processor cannot keep up, but text keeps its size", () => {
    const slow = { ...screen, isSteppedDown: true };
    expect(encodingOf(slow, hd, 0, ceilings)).toMatchObject({ maxFramerate: 15, scaleResolutionDownBy: 1.5 });
    expect(encodingOf({ ...slow, preset: "text" }, hd, 0, ceilings).scaleResolutionDownBy).toBe(1);
  });
});

describe("with limited bandwidth", () => {
  const parts = (degradationSteps: number) => {
    const { maxFramerate: cameraRate, scaleResolutionDownBy: cameraScale } = encodingOf(
      camera,
      view(1280, 720),
      degradationSteps,
      ceilings,
    );
    const { maxFramerate: rate, scaleResolutionDownBy: scale } = encodingOf(
      screen,
      hd,
      degradationSteps,
      ceilings,
    );
    return {
      cameraRate,
      cameraScale,
      rate,
      scale,
      voice: encodingOf(voice, view(1, 1), degradationSteps, ceilings),
    };
  };
  const whole = encodingOf(voice, view(1, 1), 0, ceilings);

  it("reduces, in this order: camera frames, camera size, screen frames, screen size, and never sound", () => {
    expect([0, 1, 2, 3, 4].map(parts)).toEqual([
      { cameraRate: 30, cameraScale: 1, rate: 30, scale: 1, voice: whole },
      { cameraRate: 15, cameraScale: 1, rate: 30, scale: 1, voice: whole },
      { cameraRate: 15, cameraScale: 2, rate: 30, scale: 1, voice: whole },
      { cameraRate: 15, cameraScale: 2, rate: 10, scale: 1, voice: whole },
      { cameraRate: 15, cameraScale: 2, rate: 10, scale: 2, voice: whole },
    ]);
  });

  /** One character per second: "b" if an encoder lacks bandwidth, otherwise ".". */
  function follow(seconds: string, from: BandwidthState = initialBandwidth): number[] {
    let line = from;
    return [...seconds].map((second, index) => {
      const limitedBy = second === "b" ? "bandwidth" : "none";
      line = nextBandwidth(line, {
        atMs: index * 1_000,
        senders: [{ kind: "screen", active: true, limitedBy }],
      });
      return line.degradationSteps;
    });
  }

  it("adds a step after four seconds, up to the number of steps", () => {
    expect(follow("bbbbbbbbbb")).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2]);
    expect(follow("b".repeat(60)).at(-1)).toBe(4);
  });

  it("ignores a single second", () => {
    expect(follow("..b..b.b...b").at(-1)).toBe(0);
  });

  it("removes a step after twenty seconds without", () => {
    expect(follow(`bbbbb${".".repeat(20)}`).at(-1)).toBe(1);
    expect(follow(`bbbbb${".".repeat(21)}`).at(-1)).toBe(0);
  });

  it("considers only watched sources", () => {
    const unwatched = { kind: "screen", active: false, limitedBy: "bandwidth" } as const;
    let line = initialBandwidth;
    for (let second = 0; second < 20; second++)
      line = nextBandwidth(line, { atMs: second * 1_000, senders: [unwatched] });
    expect(line.degradationSteps).toBe(0);
  });
});

describe("the codec for a busy processor", () => {
  const codecs = (...names: string[]) => names.map((name) => ({ mimeType: `video/${name}` }));

  it.each([
    [["AV1", "VP8", "rtx"], "video/VP8"],
    [["VP9", "VP8"], "video/VP8"],
    [["VP8", "VP9"], null],
    [["H264", "VP8"], null],
    [["VP9", "H264"], null],
    [[], null],
  ])("is after %j: %s", (negotiated, cheaper) => {
    expect(cheaperCodec(codecs(...negotiated))?.mimeType ?? null).toBe(cheaper);
  });
});

describe("a busy processor", () => {
  const minute = (limitedOf: (second: number) => boolean, seconds = 61) =>
    Array.from({ length: seconds }, (_, second) => ({ atMs: second * 1_000, limited: limitedOf(second) }));

  it("is detected if it limits an encoder in 70 % of a minute", () => {
    expect(isProcessorBusy(minute((second) => second % 10 < 7))).toBe(true);
    expect(isProcessorBusy(minute((second) => second % 10 < 6))).toBe(false);
  });

  it("is not detected before the minute is over", () => {
    expect(isProcessorBusy(minute(() => true, 60))).toBe(false);
    expect(isProcessorBusy([])).toBe(false);
  });
});

describe("the order of codecs", () => {
  const codec = (mimeType: string, smooth: boolean, powerEfficient: boolean) => ({
    mimeType,
    smooth,
    powerEfficient,
  });

  it("starts with codecs that hardware encodes smoothly, and has VP9 before AV1 in software", () => {
    expect(
      codecOrder([
        codec("video/AV1", true, false),
        codec("video/VP8", true, false),
        codec("video/VP9", true, false),
        codec("video/H264", true, true),
      ]),
    ).toEqual(["video/H264", "video/VP9", "video/VP8", "video/AV1"]);
  });

  it("ends with codecs that are not smooth", () => {
    expect(codecOrder([codec("video/VP9", false, false), codec("video/VP8", true, false)])).toEqual([
      "video/VP8",
      "video/VP9",
    ]);
  });
});

describe("the quality of a received picture", () => {
  const sample = { atMs: 0, packetsReceived: 1_000, packetsLost: 10, framesDecoded: 300 };
  const later = (received: number, lost: number, frames: number) => ({
    atMs: 4_000,
    packetsReceived: sample.packetsReceived + received,
    packetsLost: sample.packetsLost + lost,
    framesDecoded: sample.framesDecoded + frames,
  });

  it.each([
    ["good", later(400, 0, 120), false],
    ["good", later(400, 10, 120), false],
    ["weak", later(400, 40, 60), false],
    ["frozen", later(0, 0, 0), false],
    ["frozen", later(200, 50, 0), false],
    ["good", later(0, 0, 0), true],
    ["good", later(380, -3, 120), false],
  ] as const)("is %s", (reception, now, isStill) => {
    expect(receptionOf(sample, now, isStill)).toBe(reception);
  });
});
