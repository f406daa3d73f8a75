import { type FileSink, readManifest, type ThreadPort } from "@warren/core";
import { toWarrenError, WarrenError } from "@warren/protocol";
import type { FileAnswer, FileCall, FileCallName, FileReply, FileRequest } from "./file-calls.ts";
import type { OpfsFiles } from "./opfs-files.ts";

type Handlers = { readonly [Name in FileCallName]: (request: FileRequest<Name>) => Promise<FileReply<Name>> };

/** Handles a page's calls about the files that its worker stores, and reads manifests for it. */
export class FileService {
  readonly #port: ThreadPort<FileAnswer, FileCall>;
  readonly #opening: Promise<OpfsFiles | null>;
  readonly #sinks = new Map<number, FileSink>();
  #nextSink = 0;

  /** @param files null if the browser cannot store them: then only `isSupported` and `readManifest` are answered. */
  constructor(port: ThreadPort<FileAnswer, FileCall>, files: Promise<OpfsFiles | null>) {
    this.#port = port;
    this.#opening = files;
    port.on("message", (call) => void this.#answer(call));
  }

  readonly #handlers: Handlers = {
    isSupported: async () => (await this.#opening) !== null,
    listFiles: async () => (await this.#files()).listFiles(),
    has: async ({ fid }) => (await this.#files()).has(fid),
    readDigests: async ({ fid }) => new Map(await (await this.#files()).readDigests(fid)),
    readFile: async ({ fid, layout }) => (await this.#files()).readFile(fid, layout),
    remove: async ({ fid }) => (await this.#files()).remove(fid),
    openSink: async ({ fid, layout }) => {
      const sink = await (await this.#files()).openSink(fid, layout);
      this.#sinks.set(this.#nextSink, sink);
      return this.#nextSink++;
    },
    read: async ({ sink, chunk }) => this.#sink(sink).read(chunk),
    write: async ({ sink, chunk, bytes, digest }) => this.#sink(sink).write(chunk, bytes, digest),
    finish: async ({ sink }) => this.#sink(sink).finish(),
    close: async ({ sink }) => {
      const open = this.#sink(sink);
      this.#sinks.delete(sink);
      await open.close();
    },
    readManifest: ({ manifest, description }) => readManifest(manifest, description),
  };

  async #answer<Name extends FileCallName>({ id, name, request }: FileCall<Name>): Promise<void> {
    try {
      this.#port.post({ id, reply: await this.#handlers[name](request) });
    } catch (thrown) {
      this.#port.post({ id, error: toWarrenError(thrown, "storage-failed").describe() });
    }
  }

  async #files(): Promise<OpfsFiles> {
    const files = await this.#opening;
    if (!files) throw new WarrenError("storage-failed", { reason: "unsupported" });
    return files;
  }

  #sink(id: number): FileSink {
    const sink = this.#sinks.get(id);
    if (!sink) throw new WarrenError("storage-failed", { reason: "closed" });
    return sink;
  }
}
