import type { ThreadPort } from "@warren/core";
import { decodeValue, WarrenError } from "@warren/protocol";
import {
  type FileCallName,
  type FileReply,
  type FileRequest,
  fileAnswerSchema,
  fileCalls,
} from "../workers/file-calls.ts";

interface PendingCall {
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: WarrenError) => void;
}

/** The page's side of the worker that keeps files: asks it one thing at a time, by call. */
export class WorkerFiles {
  readonly #port: ThreadPort;
  readonly #pending = new Map<number, PendingCall>();
  #nextId = 0;
  #failure: WarrenError | null = null;

  constructor(port: ThreadPort) {
    this.#port = port;
    port.onMessage((message) => {
      const decoded = decodeValue(fileAnswerSchema, message);
      if (!decoded.ok) return;
      const answer = decoded.value;
      const call = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      if ("error" in answer) call?.reject(new WarrenError(answer.error.code, answer.error.values));
      else call?.resolve(answer.reply);
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
    const replied = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#port.post({ id, name, request }, transfer);
    const reply = decodeValue(fileCalls[name].reply, await replied);
    if (!reply.ok) throw reply.error;
    return reply.value;
  }

  /** The worker is gone: nothing is answered any more. */
  fail(error: WarrenError): void {
    this.#failure = error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
