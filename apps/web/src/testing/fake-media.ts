type FakeDeviceInfo = Pick<MediaDeviceInfo, "kind" | "deviceId" | "label">;
type TrackKind = "audio" | "video";

interface FakeTrack extends EventTarget {
  readonly kind: TrackKind;
  readonly deviceId: string;
  readonly label: string;
  isOpen: boolean;
  stop(): void;
  getCapabilities(): object;
}

/** Fake cameras and microphones, which the test plugs and unplugs. */
export interface FakeMedia extends EventTarget {
  enumerateDevices(): Promise<readonly FakeDeviceInfo[]>;
  getUserMedia(constraints: MediaStreamConstraints): Promise<MediaStream>;
  getSupportedConstraints(): Readonly<Record<string, boolean>>;
  /** The constraints that the browser supports; by default all audio constraints. */
  supported: Readonly<Record<string, boolean>>;
  /** The capabilities of every device. */
  abilities: Readonly<Record<string, readonly boolean[]>>;
  /** The requested constraints. */
  readonly asked: readonly MediaStreamConstraints[];
  /** The number of streams provided. */
  given(): number;
  /** The kinds of the tracks that have not been stopped. */
  open(): readonly TrackKind[];
  /** Makes every request for a kind fail with an error of this name; null lets them succeed again. */
  fail(kind: TrackKind, name: string | null): void;
  /**
   * Holds requests back.
   * @returns a function that lets them succeed.
   */
  hold(): () => void;
  unplug(deviceId: string): void;
  plugIn(device: FakeDeviceInfo): void;
}

const soundConstraints = [
  "noiseSuppression",
  "echoCancellation",
  "autoGainControl",
  "voiceIsolation",
  "suppressLocalAudioPlayback",
];

const deviceKinds = { audio: "audioinput", video: "videoinput" } as const;

/** Creates the devices. Of several, the preferred one is opened, otherwise the first. */
export function fakeMedia(plugged: readonly FakeDeviceInfo[]): FakeMedia {
  let devices = plugged;
  let answered = Promise.resolve();
  const tracks: FakeTrack[] = [];
  const asked: MediaStreamConstraints[] = [];
  const failures = new Map<TrackKind, string>();
  const events = new EventTarget();
  const changed = (): void => void events.dispatchEvent(new Event("devicechange"));

  const openTrack = (kind: TrackKind, wanted: MediaTrackConstraints | boolean): FakeTrack => {
    const name = failures.get(kind);
    if (name !== undefined) throw new DOMException(`no ${kind}`, name);
    const ofKind = devices.filter((device) => device.kind === deviceKinds[kind]);
    const device =
      ofKind.find(({ deviceId }) => JSON.stringify(wanted).includes(`"${deviceId}"`)) ?? ofKind[0];
    if (device === undefined) throw new DOMException(`no ${kind}`, "NotFoundError");
    const track: FakeTrack = Object.assign(new EventTarget(), {
      kind,
      deviceId: device.deviceId,
      label: device.label,
      isOpen: true,
      stop: () => {
        track.isOpen = false;
      },
      getCapabilities: () => fake.abilities,
    });
    tracks.push(track);
    return track;
  };

  let given = 0;
  const fake: FakeMedia = Object.assign(events, {
    asked,
    supported: Object.fromEntries(soundConstraints.map((name) => [name, true])),
    abilities: {},
    getSupportedConstraints: () => fake.supported,
    given: () => given,
    enumerateDevices: async () => devices,
    getUserMedia: async (constraints: MediaStreamConstraints) => {
      asked.push(constraints);
      await answered;
      const opened = (["audio", "video"] as const).flatMap((kind) => {
        const wanted = constraints[kind];
        return wanted === undefined || wanted === false ? [] : [openTrack(kind, wanted)];
      });
      given += 1;
      const ofKind = (kind: TrackKind) => opened.filter((track) => track.kind === kind);
      return Object.assign(new MediaStream(), {
        getTracks: () => opened,
        getVideoTracks: () => ofKind("video"),
        getAudioTracks: () => ofKind("audio"),
      });
    },
    open: () => tracks.filter(({ isOpen }) => isOpen).map(({ kind }) => kind),
    fail: (kind: TrackKind, name: string | null) => {
      if (name === null) failures.delete(kind);
      else failures.set(kind, name);
    },
    hold: () => {
      let answer = (): void => {};
      answered = new Promise((resolve) => {
        answer = resolve;
      });
      return answer;
    },
    unplug: (gone: string) => {
      devices = devices.filter(({ deviceId }) => deviceId !== gone);
      for (const track of tracks.filter(({ deviceId }) => deviceId === gone)) {
        track.isOpen = false;
        track.dispatchEvent(new Event("ended"));
      }
      changed();
    },
    plugIn: (device: FakeDeviceInfo) => {
      devices = [...devices, device];
      changed();
    },
  });
  return fake;
}
