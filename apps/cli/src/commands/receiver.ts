import { setImmediate as nextTurn } from "node:timers/promises";
import {
  everyone,
  type FileMessage,
  isLive,
  isOpen,
  isSourceError,
  openTree,
  peersOf,
  type StoredFile,
  type TransferState,
} from "@warren/core";
import { type ClientId, type FileDescription, type FileId, WarrenError } from "@warren/protocol";
import { PipeTarget } from "../files/pipe-target.ts";
import type { TargetFolder } from "../files/target-folder.ts";
import type { DiskFileStorage } from "../platform/disk-file-storage.ts";
import { errorEventOf } from "../terminal/error-event.ts";
import type { Item, Waited } from "../terminal/events.ts";
import { CommandError, exitCodes } from "../terminal/exit-code.ts";
import { HeardTexts } from "./heard-texts.ts";
import { fileMessagesOf, itemOf, offerOf } from "./offers.ts";
import type { Session } from "./session.ts";
import { TaskFiles } from "./task-files.ts";
import { Waiting, waitedFor } from "./waiting.ts";

/** How long the sender may take to learn that everything is here, before we leave. */
const farewellMs = 1_000;
/** How long a receiver that always runs waits before it tries a server again. */
const rejoinMs = 5_000;

/** Where received files go. */
export type Target = TargetFolder | PipeTarget;
/** Whether to take what somebody offers. Once `over` is aborted that is offered no more, and no answer counts. */
export type Decide = (from: ClientId, message: FileMessage, over: AbortSignal) => Promise<boolean>;
/** Is told of an offer that ended without the file, or waits for space. @param error what went wrong, if something did */
type Ended = (state: TransferState["state"] | undefined, error: WarrenError | null) => void;

interface ReceiverParts {
  readonly session: Session;
  /** Holds what this command receives, and nothing else. */
  readonly storage: DiskFileStorage;
  readonly target: Target;
  readonly decide: Decide;
  readonly texts?: HeardTexts;
}

/** Takes what is offered, and puts it where it belongs. */
export class Receiver {
  readonly #session: Session;
  readonly #storage: DiskFileStorage;
  readonly #target: Target;
  readonly #decide: Decide;
  /** Offers that a person or the rules decide about, and files that are put away. */
  readonly #busy = new Set<string>();
  /** The offers among them that are still to be decided about. */
  readonly #questions = new Map<FileMessage["key"], AbortController>();
  /** Offers that are over for this run, or were before it. */
  readonly #settled = new Set<FileMessage["key"]>();
  readonly #texts: HeardTexts;
  /** Questions are asked, and files put away, one after another. */
  readonly #turns = { ask: Promise.resolve(), put: Promise.resolve() };
  /** Whom we can or could send to in this run. Offers of others, from earlier runs, may never go on. */
  readonly #met = new Set<ClientId>();
  /** From whom something has arrived in this run. */
  readonly #senders = new Set<ClientId>();
  /** Offers whose senders said that they cannot read the file any more. */
  readonly #unreadable = new Set<FileMessage["key"]>();
  /** What is being put where it belongs. */
  #putting: Item | null = null;
  readonly #waiting: Waiting;
  #files = new TaskFiles(undefined, () => {});
  #failure: unknown = null;

  constructor({ session, storage, target, decide, texts }: ReceiverParts) {
    this.#texts = texts ?? new HeardTexts(session, "what is new");
    this.#session = session;
    this.#waiting = new Waiting(session.report);
    this.#storage = storage;
    this.#target = target;
    this.#decide = decide;
    for (const { key, client, offers, original } of fileMessagesOf(session.warren)) {
      if (original !== undefined) continue;
      const offer = offers[client];
      const state = offer?.state;
      const isOver = state === undefined || ["complete", "declined", "withdrawn", "givenUp"].includes(state);
      // What its sender changed or lost is offered anew, if at all.
      const isLost = offer?.state === "failed" && isSourceError(offer.error.code);
      if (isOver || isLost) this.#settled.add(key);
      // What stopped it then, such as a full disk, may be over.
      else if (["failed", "needsSpace", "pausedHere"].includes(state)) this.#resume(key);
    }
  }

  #resume(key: FileMessage["key"]): void {
    this.#busy.add(key);
    void this.#session.warren.chat
      .resumeFile(key)
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => this.#busy.delete(key));
  }

  /** Until everything that was offered is here or refused. @param files what earlier runs of the same command were offered */
  async receiveOnce(files: TaskFiles): Promise<void> {
    const { warren, report } = this.#session;
    this.#files = files;
    this.#session.isDoneWith = (id) => this.#hasAllOf(id);
    for (const item of files.received) report.event({ event: "received", ...item });
    // What was turned down or lost meanwhile does not come any more, nor what no message offers.
    files.keepOpen(new Set(this.#openOffers().map(({ file }) => file.fid)));
    if (await this.#hasAll()) return;
    await this.#session.join();
    report.event({ event: "joined", room: warren.profile.get().roomId });
    let over = 0;
    await this.#session.until(
      () => {
        this.step((state, error) => {
          if (state === "declined" || state === "withdrawn") over++;
          if (error !== null) throw error;
          if (state === "needsSpace")
            throw new CommandError(
              "The disk is full. The same command goes on once there is space.",
              exitCodes.disk,
            );
        });
        this.#waiting.note(this.#waitsFor());
        const isIdle = this.#busy.size === 0 && !this.#hasOpen();
        const isDone = this.#senders.size > 0 || over > 0 || this.#isComplete;
        return isIdle && isDone ? true : undefined;
      },
      { reach: () => true },
    );
    await this.#untilSendersKnow();
    if (files.received.length === 0) throw new CommandError("Nothing was received.", exitCodes.refused);
  }

  /** Puts away what an earlier run received whole. @returns whether nothing else was offered to it: its senders are done */
  async #hasAll(): Promise<boolean> {
    // Once its code is loaded, core ends the offers of such files, in the same turn.
    await this.#session.warren.chat.exchange.load();
    await nextTurn();
    await this.#session.until(() => {
      this.step(() => {});
      return this.#busy.size === 0 ? true : undefined;
    });
    // Who sent those is no reason to end before the rest is here.
    this.#senders.clear();
    return this.#isComplete;
  }

  #hasAllOf(id: ClientId): boolean {
    const { warren } = this.#session;
    const theirs = fileMessagesOf(warren).filter(({ client }) => client === id);
    const isHere = (message: FileMessage) => offerOf(warren, message, id).now?.state === "complete";
    return (
      theirs.some(isHere) && !theirs.some((message) => !isHere(message) && !this.#settled.has(message.key))
    );
  }

  /** Whether all that this command was offered is here, or does not come any more. */
  get #isComplete(): boolean {
    return this.#files.received.length > 0 && !this.#files.hasOpen;
  }

  /** Until the program is stopped. A server that is away is tried again. */
  async receiveAlways(): Promise<void> {
    const { warren, signal, report } = this.#session;
    while (!signal.aborted) {
      try {
        await this.#session.join();
        report.event({ event: "joined", room: warren.profile.get().roomId });
        await this.#session.until(() => {
          this.stepAlways();
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

  /** Reacts to what has changed, where what went wrong with one file is no reason to end. */
  stepAlways(): void {
    this.step((_, error) => {
      if (error !== null) this.#session.report.event(errorEventOf(error));
    });
    this.#waiting.note(this.#waitsForDisk());
  }

  /** Reacts to what has changed. */
  step(ended: Ended): void {
    if (this.#failure !== null) throw this.#failure;
    if (this.#target instanceof PipeTarget && this.#target.failure !== null) throw this.#target.failure;
    const { warren, report } = this.#session;
    this.#texts.report();
    for (const { clientId } of this.#session.readyPeers()) this.#met.add(clientId);
    // What core has not noted as complete yet.
    const open = new Set<FileId>();
    const offered = new Set<FileMessage["key"]>();
    for (const message of fileMessagesOf(warren)) {
      const { key, client: from, file } = message;
      if (from === warren.profile.get().clientId || this.#settled.has(key)) continue;
      const item = itemOf(message);
      const { now, transfer } = offerOf(warren, message, from);
      if (now?.state === "offered") offered.add(key);
      else if (isOpen(now?.state)) open.add(file.fid);
      if (now?.state === "needsSource") this.#unreadable.add(key);
      else if (isLive(now)) this.#unreadable.delete(key);
      if (this.#busy.has(key)) continue;
      if (now?.state === "complete") {
        // Files that are here already are put away below.
        if (!warren.files.store.getState().has(file.fid)) this.#settled.add(key);
      } else if (now?.state === "running") transfer && report.progress(item, transfer);
      // The offer that it is given for says what becomes of it.
      else if (message.original !== undefined) continue;
      else if (!this.#met.has(from) && !this.#othersMayGive(message)) continue;
      else if (now?.state === "offered") this.#ask(message, from);
      else if (["declined", "withdrawn", "givenUp", "failed"].includes(now?.state ?? "withdrawn")) {
        const error = this.#errorOf(key, now);
        this.#settled.add(key);
        this.#files.forget(file.fid);
        if (now?.state === "withdrawn" || error?.code === "source-changed")
          report.event({ event: "withdrawn", from: this.#session.nameOf(from), ...item });
        ended(now?.state, error);
      } else if (now?.state === "needsSpace") ended(now.state, null);
    }
    for (const [key, question] of this.#questions) {
      if (offered.has(key)) continue;
      question.abort();
      this.#questions.delete(key);
    }
    for (const file of warren.files.store.getState().values())
      if (file.direction === "received" && file.state === "complete" && !open.has(file.description.fid))
        this.#putAway(file);
  }

  /** A sender may find out that its file has changed when it comes back, or when it is asked for it: that is one thing here. */
  #errorOf(key: FileMessage["key"], now: TransferState | undefined): WarrenError | null {
    const isLost = now?.state === "withdrawn" && this.#unreadable.has(key);
    if (isLost || (now?.state === "failed" && isSourceError(now.error.code)))
      return new WarrenError("source-changed");
    return now?.state === "failed" ? new WarrenError(now.error.code, now.error.values) : null;
  }

  /** Whether somebody we met still has something for us. */
  #hasOpen(): boolean {
    return this.#openOffers().some(({ client }) => this.#met.has(client));
  }

  #openOffers(): readonly FileMessage[] {
    const { warren } = this.#session;
    const ownId = warren.profile.get().clientId;
    return fileMessagesOf(warren).filter(
      ({ key, client, original }) => client !== ownId && original === undefined && !this.#settled.has(key),
    );
  }

  /** Whether what was offered to everyone may come from somebody else than its author. */
  #othersMayGive({ conversation, root }: FileMessage): boolean {
    return conversation === everyone && root !== undefined && this.#met.size > 0;
  }

  /** What this machine's disk keeps waiting, if it does. */
  #waitsForDisk(): Waited | null {
    if (this.#putting !== null) return { for: "disk", from: null, ...this.#putting };
    const ownId = this.#session.warren.profile.get().clientId;
    for (const message of fileMessagesOf(this.#session.warren)) {
      if (message.client === ownId || this.#settled.has(message.key)) continue;
      const waited = this.#waitsWith(message);
      if (waited?.for === "space" || waited?.for === "disk") return waited;
    }
    return null;
  }

  #waitsWith(message: FileMessage): Waited | null {
    const { warren } = this.#session;
    const from = message.client;
    return waitedFor({
      side: "receiver",
      ...offerOf(warren, message, from),
      isHere: warren.room.isReady(from),
      name: this.#session.nameOf(from),
      item: itemOf(message),
    });
  }

  /** What has to happen before this goes on; null while something happens here. */
  #waitsFor(): Waited | null {
    const { warren } = this.#session;
    const onDisk = this.#waitsForDisk();
    if (onDisk !== null || this.#busy.size > 0) return onDisk;
    const open = this.#openOffers().filter(({ file }) => this.#files.isOpen(file.fid));
    // Another member may give what its author offered.
    const given = fileMessagesOf(warren).filter(({ original }) => open.some(({ key }) => key === original));
    const live = [...open, ...given].filter((message) =>
      isLive(offerOf(warren, message, message.client).now),
    );
    const waits = (live.length > 0 ? live : open).map((message) => this.#waitsWith(message));
    if (waits.length > 0) return waits.includes(null) ? null : (waits[0] ?? null);
    const nameOf = (id: ClientId) => this.#session.nameOf(id);
    const peers = Object.values(peersOf(warren.room.store.getState()));
    if (peers.some(({ ready }) => !ready)) return null;
    if (peers.length === 0) return { for: "somebody", name: null };
    return { for: "offer", from: peers.map(({ clientId }) => nameOf(clientId)).join(", ") };
  }

  #ask(message: FileMessage, from: ClientId): void {
    const { warren, report } = this.#session;
    const item = itemOf(message);
    const { key, file } = message;
    const question = new AbortController();
    this.#questions.set(key, question);
    this.#inTurn("ask", key, async () => {
      if (question.signal.aborted) return;
      report.event({ event: "offer", from: this.#session.nameOf(from), ...item });
      this.#files.noteOffered(file.fid);
      const isWanted = await this.#decide(from, message, question.signal);
      if (question.signal.aborted) return;
      this.#questions.delete(key);
      if (isWanted) await warren.chat.acceptFile(key);
      else {
        await warren.chat.declineFile(key);
        report.event({ event: "refused", by: "here", peer: this.#session.nameOf(from), ...item });
      }
    });
  }

  #putAway({ description: file, peers: [from = ""] }: StoredFile): void {
    const { warren, report } = this.#session;
    if (this.#busy.has(file.fid)) return;
    this.#inTurn("put", file.fid, async () => {
      this.#putting = itemOf({ file });
      const path = await this.#put(file).finally(() => {
        this.#putting = null;
      });
      const item = { from: this.#session.nameOf(from), path, ...itemOf({ file }) };
      const isNew = this.#files.noteReceived(file.fid, item);
      try {
        await warren.files.remove(file.fid);
      } finally {
        // Whoever is told looks at the folder next, and finds nothing of ours in it.
        if (isNew) report.event({ event: "received", ...item });
      }
      this.#senders.add(from);
    });
  }

  async #put(file: FileDescription): Promise<string | null> {
    const received = {
      bytes: this.#storage.bytesOf(file.fid),
      workFolder: this.#storage.workFolderOf(file.fid),
      placements: this.#storage.placementsOf(file.fid),
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

  #inTurn(turn: "ask" | "put", key: string, action: () => Promise<void>): void {
    this.#busy.add(key);
    this.#turns[turn] = this.#turns[turn]
      .then(action)
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#busy.delete(key);
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
