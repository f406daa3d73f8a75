import { FakeTrack } from "./fake-track.ts";

type Direction = RTCRtpTransceiverDirection;

/** A media section of a description. */
export interface Section {
  readonly mid: string;
  readonly kind: "audio" | "video";
  readonly direction: Direction;
}

/** The media sections of a fake description. */
export function sectionsOf(sdp: string): Section[] {
  return [...sdp.matchAll(/^m=(audio|video) (\S+) (\S+)\r$/gm)].map(([, kind, mid = "", direction]) => ({
    mid,
    kind: kind === "audio" ? "audio" : "video",
    direction: isDirection(direction) ? direction : "inactive",
  }));
}

/** The subset of a transceiver that core uses. */
export class FakeTransceiver {
  mid: string | null;
  currentDirection: Direction | null = null;
  readonly sender = new FakeSender();
  readonly receiver: { readonly track: FakeTrack; jitterBufferTarget: number | null; level: number };
  readonly #onChange: () => void;
  #direction: Direction;

  constructor(
    kind: "audio" | "video",
    direction: Direction,
    onChange: () => void,
    mid: string | null = null,
  ) {
    this.mid = mid;
    this.#direction = direction;
    this.#onChange = onChange;
    this.receiver = Object.assign(
      { track: new FakeTrack(kind), jitterBufferTarget: null, level: 0 },
      {
        getSynchronizationSources: () => [{ audioLevel: this.receiver.level }],
      },
    );
  }

  get direction(): Direction {
    return this.#direction;
  }

  set direction(direction: Direction) {
    if (this.#direction === "stopped") throw new DOMException("stopped", "InvalidStateError");
    if (direction === this.#direction) return;
    this.#direction = direction;
    this.#onChange();
  }

  /** Ends it for good, as the other side can. */
  stop(): void {
    this.#direction = "stopped";
    this.currentDirection = "stopped";
  }

  /** @param offer what the other side offers; null where this is an offer itself. */
  describe(offer: readonly Section[] | null): string[] {
    if (this.mid === null || this.#direction === "stopped") return [];
    const offered = offer?.find(({ mid }) => mid === this.mid);
    if (offer !== null && offered === undefined) return [];
    const direction = offered ? agreed(this.#direction, offered.direction) : this.#direction;
    return [`m=${this.receiver.track.kind} ${this.mid} ${direction}\r\n`];
  }

  /** @returns whether it receives from now on. */
  settle(sections: readonly Section[]): boolean {
    const theirs = sections.find(({ mid }) => mid === this.mid);
    if (theirs === undefined || this.#direction === "stopped") return false;
    const before = this.currentDirection;
    this.currentDirection = agreed(this.#direction, theirs.direction);
    return receives(this.currentDirection) && !receives(before);
  }
}

/** The subset of a sender that core uses. */
class FakeSender {
  track: MediaStreamTrack | null = null;
  encodings: RTCRtpEncodingParameters[] = [];
  /** The negotiated codecs. */
  codecs: RTCRtpCodecParameters[] = [];
  degradationPreference: RTCDegradationPreference | undefined;

  getParameters(): RTCRtpSendParameters {
    const encodings = this.encodings.map((encoding) => ({ ...encoding }));
    return { encodings, transactionId: "", codecs: this.codecs, headerExtensions: [], rtcp: {} };
  }

  async setParameters({ encodings, degradationPreference }: RTCRtpSendParameters): Promise<void> {
    this.encodings = encodings;
    this.degradationPreference = degradationPreference;
  }

  async replaceTrack(track: MediaStreamTrack | null): Promise<void> {
    this.track = track;
  }
}

function isDirection(text: string | undefined): text is Direction {
  return text === "sendrecv" || text === "sendonly" || text === "recvonly" || text === "inactive";
}

const sends = (direction: Direction | null) => direction === "sendrecv" || direction === "sendonly";
const receives = (direction: Direction | null) => direction === "sendrecv" || direction === "recvonly";

/** Our direction, limited to what theirs allows. */
function agreed(ours: Direction, theirs: Direction): Direction {
  const isSending = sends(ours) && receives(theirs);
  const isReceiving = receives(ours) && sends(theirs);
  if (isSending) return isReceiving ? "sendrecv" : "sendonly";
  return isReceiving ? "recvonly" : "inactive";
}
