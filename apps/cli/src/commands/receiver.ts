import { type FileMessage, isSourceError, openTree } from "@warren/core";
import { type ClientId, WarrenError } from "@warren/protocol";
import { PipeTarget } from "../files/pipe-target.ts";
import type { TargetFolder } from "../files/target-folder.ts";
import type { DiskFileStorage } from "../platform/disk-file-storage.ts";
import { errorEventOf } from "../terminal/error-event.ts";
import { CommandError, exitCodes } from "../terminal/exit-code.ts";
import { HeardTexts } from "./heard-texts.ts";
import { fileMessagesOf, itemOf, offerOf } from "./offers.ts";
import type { Session } from "./session.ts";

/** How long the sender may take to learn that everything is here, before we leave. */
const farewellMs = 1_000;
/** How long a receiver that always runs waits before it tries a server again. */
const rejoinMs = 5_000;

/** Where received files go. */
export type Target = TargetFolder | PipeTarget;
/** Whether to take what somebody offers. */
type Decide = (from: ClientId, message: FileMessage) => Promise<boolean>;

/** Takes what is offered, and puts it where it belongs. */
export class Receiver {
  readonly #session: Session;
  readonly #storage: DiskFileStorage;
  readonly #target: Target;
  readonly #decide: Decide;
  /** Offers that a person or the rules decide about. */
  readonly #deciding = new Set<FileMessage["key"]>();
  /** Offers that are over for this run, or were before it. */
  readonly #settled = new Set<FileMessage["key"]>();
  readonly #texts: HeardTexts;
  /** Questions are asked, and files put away, one after another. */
  readonly #turns = { ask: Promise.resolve(), put: Promise.resolve() };
  /** Whom we can or could send to in this run. Offers of others, from earlier runs, may never go on. */
  readonly #met = new Set<ClientId>();
  /** From whom something has arrived in this run. */
  readonly #senders = new Set<ClientId>();
  #failure: unknown = null;

  constructor(
    session: Session,
    storage: DiskFileStorage,
    target: Target,
    decide: Decide,
    texts = new HeardTexts(session, "what is new"),
  ) {
    this.#texts = texts;
    this.#session = session;
    this.#storage = storage;
    this.#target = target;
    this.#decide = decide;
    const { files } = session.warren;
    for (const { key, client, file, offers } of fileMessagesOf(session.warren)) {
      const offer = offers[client];
      const state = offer?.state;
      const isOver = state === undefined || ["declined", "withdrawn", "givenUp"].includes(state);
      // What its sender changed or lost is offered anew, if at all.
      const isLost = offer?.state === "failed" && isSourceError(offer.error.code);
      // What an earlier run received whole, but did not put away any more, is here still.
      const isPutAway = state === "complete" && !files.isComplete(file.fid);
      if (isOver || isLost || isPutAway) this.#settled.add(key);
      // What stopped it then, such as a full disk, may be over.
      else if (["failed", "needsSpace", "pausedHere"].includes(state)) this.#resume(key);
    }
  }

  #resume(key: FileMessage["key"]): void {
    this.#deciding.add(key);
    void this.#session.warren.chat
      .resumeFile(key)
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => this.#deciding.delete(key));
  }

  /** Until everything that was offered is here or refused. */
  async receiveOnce(): Promise<void> {
    const { warren } = this.#session;
    let refused = 0;
    await this.#session.until(
      () => {
        this.step((message, from) => {
          const { now } = offerOf(warren, message, from);
          if (now?.state === "declined") refused++;
          if (now?.state === "failed") throw new WarrenError(now.error.code, now.error.values);
          if (now?.state === "needsSpace")
            throw new CommandError(
              "The disk is full. The same command goes on once there is space.",
              exitCodes.disk,
            );
        });
        const isDone = this.#deciding.size === 0 && !this.#hasOpen();
        return isDone && (this.#senders.size > 0 || refused > 0) ? true : undefined;
      },
      { reach: () => true },
    );
    await this.#untilSendersKnow();
    if (this.#senders.size === 0) throw new CommandError("Nothing was received.", exitCodes.refused);
  }

  /** Until the program is stopped. A server that is away is tried again. */
  async receiveAlways(): Promise<void> {
    const { warren, signal, report } = this.#session;
    while (!signal.aborted) {
      try {
        await this.#session.join();
        report.event({ event: "joined", room: warren.profile.get().roomId });
        await this.#session.until(() => {
          this.step((message, from) => {
            const { now } = offerOf(warren, message, from);
            if (now?.state === "failed")
              report.event(errorEventOf(new WarrenError(now.error.code, now.error.values)));
          });
          return undefined;
        });
      } catch (error) {
        if (signal.aborted) return;
        report.event(errorEventOf(error));
        this.#failure = null;
        warren.room.leave();
      }
      await new Promise((resolve) => setTimeout(resolve, rejoinMs));
    }
  }

  /** Reacts to what has changed. @param ended what to do about an offer that ended without the file */
  step(ended: (message: FileMessage, from: ClientId) => void): void {
    if (this.#failure !== null) throw this.#failure;
    if (this.#target instanceof PipeTarget && this.#target.failure !== null) throw this.#target.failure;
    const { warren, report } = this.#session;
    this.#texts.report();
    for (const { clientId } of this.#session.readyPeers()) this.#met.add(clientId);
    for (const message of fileMessagesOf(warren)) {
      const { key, client: from } = message;
      if (from === warren.profile.get().clientId || this.#settled.has(key) || this.#deciding.has(key))
        continue;
      const item = itemOf(message);
      const { now, transfer } = offerOf(warren, message, from);
      if (now?.state === "complete") this.#putAway(message, from);
      else if (!this.#met.has(from)) continue;
      else if (now?.state === "offered") this.#ask(message, from);
      else if (now?.state === "running")
        report.progress(
          item,
          transfer?.transferredBytes ?? 0,
          transfer?.bytesPerSecond ?? null,
          transfer?.secondsLeft ?? null,
        );
      else if (["declined", "withdrawn", "givenUp", "failed"].includes(now?.state ?? "withdrawn")) {
        this.#settled.add(key);
        ended(message, from);
      } else if (now?.state === "needsSpace") ended(message, from);
    }
  }

  /** Whether somebody we met still has something for us. */
  #hasOpen(): boolean {
    const { warren } = this.#session;
    return fileMessagesOf(warren).some(({ key, client }) => this.#met.has(client) && !this.#settled.has(key));
  }

  #ask(message: FileMessage, from: ClientId): void {
    const { warren, report } = this.#session;
    const item = itemOf(message);
    this.#inTurn("ask", message, async () => {
      report.event({ event: "offer", from: this.#session.nameOf(from), ...item });
      if (await this.#decide(from, message)) await warren.chat.acceptFile(message.key);
      else {
        await warren.chat.declineFile(message.key);
        report.event({ event: "refused", by: "here", peer: this.#session.nameOf(from), ...item });
      }
    });
  }

  #putAway(message: FileMessage, from: ClientId): void {
    const { warren, report } = this.#session;
    const { file } = message;
    this.#inTurn("put", message, async () => {
      const path = await this.#put(message);
      await warren.files.remove(file.fid);
      this.#settled.add(message.key);
      this.#senders.add(from);
      report.event({ event: "received", from: this.#session.nameOf(from), path, ...itemOf(message) });
    });
  }

  async #put({ file }: FileMessage): Promise<string | null> {
    const received = {
      bytes: this.#storage.bytesOf(file.fid),
      workFolder: this.#storage.workFolderOf(file.fid),
    };
    if (this.#target instanceof PipeTarget) {
      await this.#target.finish(file.fid, received.bytes, file.fileSize);
      return null;
    }
    if (!file.tree) return this.#target.putFile(file, received);
    const stream = await this.#storage.readFile(file.fid, file);
    if (stream === null) throw new WarrenError("storage-failed", { reason: "the bytes are gone" });
    const { entries } = await openTree(stream, file, this.#session.warren.files.readManifest);
    const [first, ...rest] = await this.#target.putTree(file, entries, received);
    return rest.length === 0 && first !== undefined ? first : this.#target.path;
  }

  #inTurn(turn: "ask" | "put", { key }: FileMessage, action: () => Promise<void>): void {
    this.#deciding.add(key);
    this.#turns[turn] = this.#turns[turn]
      .then(action)
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#deciding.delete(key);
        this.#session.poke();
      });
  }

  /** A sender leaves once it knows that everything is here. */
  async #untilSendersKnow(): Promise<void> {
    const deadlineMs = performance.now() + farewellMs;
    const isThere = () => this.#session.readyPeers().some(({ clientId }) => this.#senders.has(clientId));
    while (performance.now() < deadlineMs && isThere())
      await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
