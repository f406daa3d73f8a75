import workerAddress from "../workers/qr-worker.ts?worker&url";
import { trustedUrl } from "../workers/trusted-url.ts";

/** A code of 65 modules that fills a third of such a picture still has three pixels a module. */
const widthMax = 960;
/** A worker that takes longer has died, or its script could not be fetched. */
const answerMs = 3_000;

/** Reads QR codes in the pictures of a video. */
export interface CodeReader {
  /** The text of a code in the current picture; null if there is none. */
  read(video: HTMLVideoElement): Promise<string | null>;
  close(): void;
}

/** Detects codes with the browser's own detector where it has one, which is faster, and in a worker elsewhere. */
export async function openCodeReader(): Promise<CodeReader> {
  return (await ownDetector()) ?? new WorkerReader();
}

interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}

declare const BarcodeDetector: (new (options: { formats: readonly string[] }) => Detector) | undefined;

async function ownDetector(): Promise<CodeReader | null> {
  const Own = typeof BarcodeDetector === "undefined" ? undefined : BarcodeDetector;
  if (Own === undefined) return null;
  try {
    const detector = new Own({ formats: ["qr_code"] });
    // Some systems have the interface but not the service behind it.
    await detector.detect(document.createElement("video")).catch((thrown: unknown) => {
      if (thrown instanceof DOMException && thrown.name === "NotSupportedError") throw thrown;
    });
    return {
      read: async (video) => (await detector.detect(video).catch(() => []))[0]?.rawValue ?? null,
      close: () => {},
    };
  } catch {
    return null;
  }
}

class WorkerReader implements CodeReader {
  readonly #worker = new Worker(trustedUrl(workerAddress), { name: "codes", type: "module" });
  readonly #canvas = document.createElement("canvas");
  /** Of the question that is open, if any. */
  #answer: ((text: string | null) => void) | null = null;

  constructor() {
    this.#worker.addEventListener("message", ({ data }: MessageEvent<unknown>) =>
      this.#answer?.(typeof data === "string" ? data : null),
    );
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#answer?.(null);
    });
  }

  read(video: HTMLVideoElement): Promise<string | null> {
    const { videoWidth, videoHeight } = video;
    const scale = Math.min(1, widthMax / videoWidth);
    const context = this.#canvas.getContext("2d", { willReadFrequently: true });
    if (videoWidth === 0 || context === null) return Promise.resolve(null);
    this.#canvas.width = Math.round(videoWidth * scale);
    this.#canvas.height = Math.round(videoHeight * scale);
    context.drawImage(video, 0, 0, this.#canvas.width, this.#canvas.height);
    const picture = context.getImageData(0, 0, this.#canvas.width, this.#canvas.height);
    return new Promise((resolve) => {
      const answer = (text: string | null): void => {
        clearTimeout(late);
        this.#answer = null;
        resolve(text);
      };
      const late = setTimeout(() => answer(null), answerMs);
      this.#answer = answer;
      this.#worker.postMessage(picture, [picture.data.buffer]);
    });
  }

  close(): void {
    this.#answer?.(null);
    this.#worker.terminate();
  }
}
