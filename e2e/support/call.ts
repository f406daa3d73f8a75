import type { Locator, Page } from "@playwright/test";
import { expect, type Person } from "./fixtures.ts";
import { chooseFrom } from "./menu.ts";

/**
 * Gives a page fake screens to share: each press on Share captures its own canvas with a coloured clock, and a tone as
 * its audio. Stores every connection, so that a test can inspect sent media.
 */
export async function withScreens({ page }: Person, { isNoisy = false } = {}): Promise<void> {
  await page.addInitScript((noisy) => {
    const connections: RTCPeerConnection[] = [];
    const tracks: MediaStreamTrack[] = [];
    Object.assign(globalThis, { connections, tracks });
    const Native = RTCPeerConnection;
    globalThis.RTCPeerConnection = class extends Native {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        connections.push(this);
      }
    };
    const media = navigator.mediaDevices;
    const sincePress = { frames: 0, stoppedAt: [] as number[] };
    Object.assign(globalThis, { sincePress });
    let counting = 0;
    // Only for a while: frames cost what the call needs.
    const countFrames = (): void => {
      if (++sincePress.frames < 60) counting = requestAnimationFrame(countFrames);
    };
    addEventListener(
      "click",
      () => {
        cancelAnimationFrame(counting);
        Object.assign(sincePress, { frames: 0, stoppedAt: [] });
        counting = requestAnimationFrame(countFrames);
      },
      true,
    );
    const recorded = (stream: MediaStream): MediaStream => {
      for (const track of stream.getTracks()) {
        const stop = track.stop.bind(track);
        track.stop = () => {
          stop();
          sincePress.stoppedAt.push(sincePress.frames);
        };
        tracks.push(track);
      }
      return stream;
    };
    const getUserMedia = media.getUserMedia.bind(media);
    media.getUserMedia = async (constraints) => recorded(await getUserMedia(constraints));
    let count = 0;
    media.getDisplayMedia = async () => {
      const number = ++count;
      const canvas = document.createElement("canvas");
      canvas.width = 640;
      canvas.height = 360;
      const pen = canvas.getContext("2d");
      if (pen === null) throw new Error("no canvas");
      const began = performance.now();
      const draw = (): void => {
        const passed = performance.now() - began;
        pen.fillStyle = number % 2 === 1 ? "#7a2e2e" : "#2e467a";
        pen.fillRect(0, 0, 640, 360);
        pen.fillStyle = "#fff";
        pen.fillRect((passed / 8) % 640, 0, 80, 360);
        pen.font = "60px sans-serif";
        pen.fillText(`${number}: ${Math.round(passed / 100)}`, 30, 200);
        for (let row = 0; noisy && row < 360; row += 4)
          for (let column = 0; column < 640; column += 4) {
            pen.fillStyle = `hsl(${Math.random() * 360} 80% ${Math.random() * 100}%)`;
            pen.fillRect(column, row, 4, 4);
          }
      };
      setInterval(draw, 200);
      draw();
      const stream = canvas.captureStream(5);
      const [picture] = stream.getVideoTracks();
      if (picture) Object.defineProperty(picture, "label", { value: `Harbour plan ${number}` });
      const context = new AudioContext();
      const output = context.createMediaStreamDestination();
      const tone = new OscillatorNode(context, { frequency: 440 });
      tone.connect(output);
      tone.start();
      for (const track of output.stream.getAudioTracks()) stream.addTrack(track);
      return recorded(stream);
    };
  }, isNoisy);
}

/** In which frame after the last click each track that it stopped ended: a loaded machine draws fewer. */
export function framesUntilOff(page: Page): Promise<number[]> {
  return page.evaluate(
    () => (Reflect.get(globalThis, "sincePress") as { readonly stoppedAt: number[] }).stoppedAt,
  );
}

/** The video bytes that a page sent so far. */
export function videoBytesSent(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let bytes = 0;
    for (const connection of Reflect.get(globalThis, "connections") as RTCPeerConnection[])
      for (const entry of (await connection.getStats()).values())
        if (entry.type === "outbound-rtp" && entry.kind === "video") bytes += entry.bytesSent ?? 0;
    return bytes;
  });
}

/**
 * Ends the page's tracks as an unplugged device does, and lets no device of the kind open until plugged in.
 */
export async function unplug(page: Page, kind: "audio" | "video"): Promise<void> {
  await page.evaluate((unplugged) => {
    const media = navigator.mediaDevices;
    const getUserMedia = media.getUserMedia.bind(media);
    media.getUserMedia = async (constraints) => {
      if (constraints?.[unplugged]) throw new DOMException("", "NotFoundError");
      return getUserMedia(constraints);
    };
    Object.assign(globalThis, {
      plugIn: () => {
        media.getUserMedia = getUserMedia;
        media.dispatchEvent(new Event("devicechange"));
      },
    });
    for (const track of Reflect.get(globalThis, "tracks") as MediaStreamTrack[]) {
      if (track.kind !== unplugged || track.readyState !== "live") continue;
      track.stop();
      track.dispatchEvent(new Event("ended"));
    }
  }, kind);
}

/** Reverts {@link unplug}. */
export function plugIn(page: Page): Promise<void> {
  return page.evaluate(() => (Reflect.get(globalThis, "plugIn") as () => void)());
}

/** The kinds of the tracks that a page is capturing. */
export function liveTracks(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    (Reflect.get(globalThis, "tracks") as MediaStreamTrack[])
      .filter(({ readyState }) => readyState === "live")
      .map(({ kind }) => kind)
      .sort(),
  );
}

/** Makes a page store the state of its tracks when it closes, right after the app has handled that. */
export function recordTracksAtEnd(page: Page): Promise<void> {
  return page.evaluate(() => {
    addEventListener("pagehide", () => {
      const tracks = Reflect.get(globalThis, "tracks") as MediaStreamTrack[];
      const states = tracks.map(({ readyState }) => readyState);
      sessionStorage.setItem("tracks at end", JSON.stringify(states));
    });
  });
}

/** The states stored by {@link recordTracksAtEnd} in the previous page. */
export async function tracksAtEnd(page: Page): Promise<readonly string[]> {
  return JSON.parse(await page.evaluate(() => sessionStorage.getItem("tracks at end") ?? "null"));
}

/** Opens the stage from the rail. */
export async function openCall(page: Page): Promise<Locator> {
  await page.getByRole("link", { name: "Call", exact: true }).click();
  const stage = page.getByRole("region", { name: "Call", exact: true });
  await expect(page.getByRole("toolbar", { name: "Call controls" })).toBeVisible();
  return stage;
}

/** One of the controls of the stage. */
export function control(page: Page, name: string): Locator {
  return page.getByRole("toolbar", { name: "Call controls" }).getByRole("button", { name, exact: true });
}

/** Presses one of the controls of the stage. */
export async function press(page: Page, name: string): Promise<void> {
  await control(page, name).click();
}

/** Shares another screen. */
export async function shareScreen(page: Page, how = "Share a screen"): Promise<void> {
  await chooseFrom(control(page, "Share screen"), new RegExp(`^${how}$`));
}

/** A picture on the stage by its name. */
export function picture(page: Page, name: string): Locator {
  return page.locator("video").and(page.getByLabel(name, { exact: true }));
}

/** Expectations during a call: browsers encode pictures and sound on the processors that everything else needs too. */
export const expectInCall = expect.configure({ timeout: 60_000 });

/** Waits until a video plays: counts its displayed frames. */
export async function expectMoving(video: Locator): Promise<void> {
  await expectInCall(video).toBeVisible();
  const frames = () =>
    video.evaluate((element: HTMLVideoElement) => element.getVideoPlaybackQuality().totalVideoFrames);
  const before = await frames();
  await expectInCall.poll(frames).toBeGreaterThan(before + 2);
}

/** The number of frames that a page has encoded so far, per source and receiver. */
export function framesSent(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const frames: number[] = [];
    for (const connection of Reflect.get(globalThis, "connections") as RTCPeerConnection[]) {
      if (connection.connectionState !== "connected") continue;
      for (const entry of (await connection.getStats()).values())
        if (entry.type === "outbound-rtp" && entry.kind === "video") frames.push(entry.framesEncoded ?? 0);
    }
    return frames;
  });
}

/** The number of a page's encoders that are currently producing frames. */
export async function encodersAtWork(page: Page): Promise<number> {
  const before = await framesSent(page);
  await page.waitForTimeout(1_000);
  const now = await framesSent(page);
  return now.filter((frames, index) => frames > (before[index] ?? 0)).length;
}

/** The requested `fmtp` parameters of a page's audio encoders. */
export function soundParameters(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const lines = new Set<string>();
    for (const connection of Reflect.get(globalThis, "connections") as RTCPeerConnection[]) {
      const stats = await connection.getStats();
      for (const entry of stats.values())
        if (entry.type === "outbound-rtp" && entry.kind === "audio")
          lines.add(stats.get(entry.codecId)?.sdpFmtpLine ?? "");
    }
    return [...lines];
  });
}

/** The encoding parameters of a page's video. */
export function encodings(page: Page): Promise<
  readonly {
    readonly active: boolean;
    readonly maxBitrate: number;
    readonly maxFramerate: number;
    readonly scale: number;
  }[]
> {
  return page.evaluate(() =>
    (Reflect.get(globalThis, "connections") as RTCPeerConnection[])
      .filter(({ connectionState }) => connectionState === "connected")
      .flatMap((connection) => connection.getSenders())
      .filter(({ track }) => track?.kind === "video")
      .flatMap((sender) => sender.getParameters().encodings)
      .map(({ active = true, maxBitrate = 0, maxFramerate = 0, scaleResolutionDownBy: scale = 1 }) => ({
        active,
        maxBitrate,
        maxFramerate,
        scale,
      })),
  );
}

/** The loudness of a page's received audio: its total energy since the start. */
export function soundEnergy(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let energy = 0;
    for (const connection of Reflect.get(globalThis, "connections") as RTCPeerConnection[])
      for (const entry of (await connection.getStats()).values())
        if (entry.type === "inbound-rtp" && entry.kind === "audio") energy += entry.totalAudioEnergy ?? 0;
    return energy;
  });
}
