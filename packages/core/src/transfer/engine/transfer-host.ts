import { toWarrenError, WarrenError } from "@warren/protocol";
import { type FileSource, lazySource } from "../../files/file-source.ts";
import type { FileClaim } from "../../files/received-file.ts";
import type { CancelTimer, Clock } from "../../ports/clock.ts";
import type { FileStorage } from "../../ports/file-storage.ts";
import type { Compressor } from "../compression/compressor.ts";
import type { Zstd } from "../compression/zstd.ts";
import { LocalTransferEngine } from "./local-transfer-engine.ts";
import type { TransferRun } from "./transfer-engine.ts";
import type { HostMessage, RunEvent, ThreadPort } from "./transfer-messages.ts";

/** Twice as often as it is displayed. */
const progressPeriodMs = 250;
/** Progress is reported this often even if there is none: the page takes silence for a stall. */
const ticksBetweenReports = 12;

export interface TransferHostDeps {
  readonly port: ThreadPort<RunEvent, HostMessage>;
  /** Where received files are stored. */
  readonly storage: Pick<FileStorage, "openSink" | "readDigests">;
  readonly clock: Clock;
  /** Without it, chunks are deflated in this thread. */
  readonly compressor?: Compressor;
  /** Decompresses received chunks; without it, none are sent as zstd. */
  readonly zstd?: Zstd;
}

type MessageOf<T extends HostMessage["type"]> = Extract<HostMessage, { type: T }>;

interface HostedRun {
  /** Null while the file is being opened. */
  run: TransferRun | null;
  /** The file of a sending run; runs of one id share the source, so that they share its reads. */
  source: { readonly id: number; readonly file: FileSource } | null;
  lastBytes: number;
  ticksSinceReport: number;
  /** The page closed it before its file was open. */
  isClosing: boolean;
  /** The number of source digests reported to the page. */
  reportedDigests: number;
  closed: { readonly storedBytes: number; readonly storedChunksVerified: boolean } | null;
  keep: (error: WarrenError | null) => void;
}

/** The worker's side of a `WorkerTransferEngine`: moves bytes here and reports to the page. */
export class TransferHost {
  readonly #port: ThreadPort<RunEvent, HostMessage>;
  readonly #storage: TransferHostDeps["storage"];
  readonly #clock: Clock;
  readonly #engine: LocalTransferEngine;
  readonly #runs = new Map<number, HostedRun>();
  #cancelTicks: CancelTimer | null = null;

  constructor({ port, storage, clock, compressor, zstd }: TransferHostDeps) {
    this.#port = port;
    this.#storage = storage;
    this.#clock = clock;
    this.#engine = new LocalTransferEngine({ clock, compressor, zstd });
    port.on("message", (message) => this.#take(message));
  }

  #take(message: HostMessage): void {
    switch (message.type) {
      case "send":
        this.#send(message);
        break;
      case "receive":
        void this.#receive(message);
        break;
      case "kept": {
        const { error } = message;
        this.#runs.get(message.run)?.keep(error && new WarrenError(error.code, error.values));
        break;
      }
      case "channel": {
        const run = this.#runs.get(message.run)?.run;
        if (run) run.addChannel(message.channel, message.lane);
        else message.channel.close();
        break;
      }
      case "leave-lane":
        this.#runs.get(message.run)?.run?.leaveLane(message.lane, message.isLost);
        break;
      case "pace":
        this.#runs.get(message.run)?.run?.setPace(message.bytesPerSecond);
        break;
      case "close":
        void this.#close(message.run);
        break;
    }
  }

  #send({ run, description, blob, ...request }: MessageOf<"send">): void {
    const source = this.#sourceOf({ description, blob, ...request });
    const hosted = this.#begin(run);
    hosted.source = { id: request.source, file: source };
    hosted.reportedDigests = source.digests.size;
    this.#hold(run, hosted, this.#engine.send({ ...request, description, source, blob }));
  }

  #sourceOf({
    source: id,
    description,
    location,
    root,
    blob,
    digests,
    earlier,
  }: Omit<MessageOf<"send">, "run">) {
    for (const { source } of this.#runs.values()) if (source?.id === id) return source.file;
    const open = async () => blob;
    const source = lazySource({ sizeBytes: description.fileSize, location, root, earlier, open });
    for (const [chunk, digest] of digests) source.digests.set(chunk, digest);
    return source;
  }

  async #receive({ run, description, storedChunksVerified }: MessageOf<"receive">): Promise<void> {
    const hosted = this.#begin(run);
    const claim: FileClaim = {
      description,
      storedChunksVerified,
      startMerging: () => this.#report({ type: "finishing", run }),
      complete: (root) =>
        new Promise<void>((resolve, reject) => {
          hosted.keep = (error) => (error ? reject(error) : resolve());
          this.#report({ type: "finished", run, root });
        }),
      release: (storedBytes, storedChunksVerified) => {
        hosted.closed = { storedBytes, storedChunksVerified };
      },
      abandon: () => {},
      open: async () => ({
        digests: await this.#storage.readDigests(description.fid),
        sink: await this.#storage.openSink(description.fid, description),
      }),
    };
    try {
      const received = await this.#engine.receive(claim);
      this.#hold(run, hosted, received);
      this.#report({ type: "receiving", run, bytes: received.transferredBytes });
    } catch (thrown) {
      this.#end(run);
      this.#report({ type: "refused", run, error: toWarrenError(thrown).describe() });
    }
  }

  #hold(run: number, hosted: HostedRun, its: TransferRun): void {
    hosted.run = its;
    its.on("report", (report) => this.#report({ run, ...report }));
    if (hosted.isClosing) void this.#close(run);
  }

  async #close(run: number): Promise<void> {
    const hosted = this.#runs.get(run);
    if (!hosted) return;
    hosted.isClosing = true;
    if (!hosted.run) return;
    try {
      await hosted.run.close();
    } catch {
      // Storage did not answer, or failed. The page learns what is stored.
    } finally {
      this.#reportDigests(run, hosted);
      this.#end(run);
      const { closed } = hosted;
      const bytes = closed ? closed.storedBytes : hosted.run.transferredBytes;
      this.#report({
        type: "closed",
        run,
        bytes,
        storedChunksVerified: closed ? closed.storedChunksVerified : null,
      });
    }
  }

  #begin(run: number): HostedRun {
    const hosted: HostedRun = {
      run: null,
      source: null,
      lastBytes: 0,
      ticksSinceReport: 0,
      isClosing: false,
      reportedDigests: 0,
      closed: null,
      keep: () => {},
    };
    this.#runs.set(run, hosted);
    this.#cancelTicks ??= this.#clock.every(progressPeriodMs, () => this.#reportProgress());
    return hosted;
  }

  #end(run: number): void {
    this.#runs.delete(run);
    if (this.#runs.size > 0) return;
    this.#cancelTicks?.();
    this.#cancelTicks = null;
  }

  #reportProgress(): void {
    for (const [run, hosted] of this.#runs) {
      this.#reportDigests(run, hosted);
      const bytes = hosted.run?.transferredBytes ?? 0;
      hosted.ticksSinceReport++;
      if (bytes === hosted.lastBytes && hosted.ticksSinceReport < ticksBetweenReports) continue;
      hosted.lastBytes = bytes;
      hosted.ticksSinceReport = 0;
      this.#report({ type: "progress", run, bytes });
    }
  }

  #reportDigests(run: number, hosted: HostedRun): void {
    const digests = hosted.source?.file.digests;
    if (!digests || digests.size === hosted.reportedDigests) return;
    // A map keeps the insertion order of its keys.
    const added = new Map([...digests].slice(hosted.reportedDigests));
    hosted.reportedDigests = digests.size;
    this.#report({ type: "digests", run, digests: added });
  }

  #report(event: RunEvent): void {
    this.#port.post(event);
  }
}
