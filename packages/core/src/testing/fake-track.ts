/** A device's track that a test can switch on and unplug. */
export class FakeTrack extends EventTarget {
  readonly kind: "audio" | "video";
  readonly label: string;
  enabled = true;
  contentHint = "";
  readyState: MediaStreamTrackState = "live";
  settings: MediaTrackSettings;

  constructor(kind: "audio" | "video", label = "", settings: MediaTrackSettings = {}) {
    super();
    this.kind = kind;
    this.label = label;
    this.settings = settings;
  }

  async applyConstraints({ width, height }: MediaTrackConstraints): Promise<void> {
    this.settings = { ...this.settings, width: idealOf(width), height: idealOf(height) };
  }

  getSettings(): MediaTrackSettings {
    return this.settings;
  }

  stop(): void {
    this.readyState = "ended";
  }

  /** The device is gone: unlike {@link stop}, this emits an event. */
  unplug(): void {
    this.readyState = "ended";
    this.dispatchEvent(new Event("ended"));
  }
}

function idealOf(constraint: ConstrainULong | undefined): number {
  return typeof constraint === "object" ? (constraint.ideal ?? 0) : (constraint ?? 0);
}

/** A fake as the code under test takes it: it has the parts of a track that are used. */
export function fakeTrack(
  kind: "audio" | "video",
  label?: string,
  settings?: MediaTrackSettings,
): MediaStreamTrack & FakeTrack {
  return new FakeTrack(kind, label, settings) as unknown as MediaStreamTrack & FakeTrack;
}
