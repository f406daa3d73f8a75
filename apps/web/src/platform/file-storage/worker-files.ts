import type { ThreadPort } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import type { FileAnswer, FileCall, FileCallName, FileReply, FileRequest } from "../../workers/file-calls.ts";

interface PendingCall {
  readonly resolve: (reply: never) => void;
  readonly reject: (error: WarrenError) => void;
}

/** The page's side of the worker that stores files: sends calls and awaits their replies. */
export class WorkerFiles {
  readonly #port: ThreadPort<FileCall, FileAnswer>;
  readonly #pending = new Map<number, PendingCall>();
  #nextId = 0;
  #failure: WarrenError | null = null;

  constructor(port: ThreadPort<FileCall, FileAnswer>) {
    this.#port = port;
    port.on("message", (answer) => {
      const call = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      if ("error" in answer) call?.reject(new WarrenError(answer.error.code, answer.error.values));
      else call?.resolve(answer.reply as never);
    });
  }

  /** Rejects with what went wrong in the worker, or with the error given to {@link fail}. */
  async call<Name extends FileCallName>(
    name: Name,
    request: FileRequest<Name>,
    transfer: readonly Transferable[] = [],
  ): Promise<FileReply<Name>> {
    if (this.#failure) throw this.#failure;
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#port.post({ id, name, request }, transfer);
    });
  }

  /** The worker ended: pending and later calls reject with this error. */
  fail(error: WarrenError): void {
    this.#failure = error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
