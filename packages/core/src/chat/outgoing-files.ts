import {
  type ClientId,
  type FileId,
  type PeerMessageOf,
  toWarrenError,
  type WarrenError,
} from "@warren/protocol";
import type { FileLibrary } from "../files/file-library.ts";
import type { OutgoingMessage } from "../room/outgoing-message.ts";
import type { TransferService } from "../transfer/transfer-service.ts";
import { type TransferStatus, transferKeyOf } from "../transfer/transfer-state.ts";
import { type FileMessages, isPausedHere, isWithdrawn } from "./file-messages.ts";
import type { FileMessage } from "./message.ts";
import { errorAnswer } from "./wire-error.ts";

interface OutgoingFilesDeps {
  readonly messages: FileMessages;
  readonly library: FileLibrary;
  readonly transfers: TransferService;
  readonly isReady: (peer: ClientId) => boolean;
  /** Tells the other side if it is here. */
  readonly tell: (peer: ClientId, message: OutgoingMessage) => void;
}

/** The files we offered: sends them, also after a reload, when their bytes have to be found again. */
export class OutgoingFiles {
  readonly #deps: OutgoingFilesDeps;

  constructor(deps: OutgoingFilesDeps) {
    this.#deps = deps;
  }

  /** The recipient of an offer accepts it, or says how it stands there. */
  async hear(
    peer: ClientId,
    message: FileMessage,
    { pending, accepted }: Pick<PeerMessageOf<"check-message">, "pending" | "accepted">,
  ): Promise<void> {
    const { messages, transfers } = this.#deps;
    const { fid } = message.file;
    if (!pending) await this.begin(peer, message);
    else if (isWithdrawn(message, peer)) this.#refuse(peer, fid);
    else if (!transfers.isUnderWay(transferKeyOf(peer, fid))) {
      const state = message.transfers[peer];
      if (accepted && standsStill(state)) this.#tellPause(peer, fid, state.by);
      else if (accepted && mayWait(state)) messages.setAll(message, peer, { status: "paused", by: "turn" });
      else if (!accepted && wasAccepted(state)) messages.setAll(message, peer, { status: "init" });
    }
  }

  /** The recipient accepted, or asked to go on: sends once the file is at hand, or says why not. */
  async begin(peer: ClientId, message: FileMessage): Promise<void> {
    const { fid } = message.file;
    if (!Object.hasOwn(message.transfers, peer)) return;
    if (isPausedHere(message.transfers[peer])) {
      this.#tellPause(peer, fid, "me");
      return;
    }
    try {
      const isAtHand = await this.#deps.library.openSource(fid, { ask: false });
      const now = this.#deps.messages.find(message.key);
      if (isWithdrawn(now, peer)) this.#refuse(peer, fid);
      // Paused while the file was looked for.
      else if (isPausedHere(now?.transfers[peer])) this.#tellPause(peer, fid, "me");
      else if (!isAtHand) this.#waitForSource(message, peer);
      else if (this.#deps.isReady(peer)) this.#deps.transfers.send(peer, message.file);
      else this.#deps.messages.setStatus(message.key, peer, { status: "paused", by: "absence" });
    } catch (thrown) {
      this.#fail(message, peer, toWarrenError(thrown));
    }
  }

  /**
   * A person wants to go on: the recipient is asked to say what it lacks, now or when it is back.
   * @returns false when the file has to be chosen again first.
   */
  async goOn(peer: ClientId, message: FileMessage): Promise<boolean> {
    const { fid } = message.file;
    try {
      if (!(await this.#deps.library.openSource(fid, { ask: true }))) {
        this.#waitForSource(message, peer);
        return false;
      }
    } catch (thrown) {
      this.#fail(message, peer, toWarrenError(thrown));
      return true;
    }
    this.#deps.messages.setStatus(message.key, peer, { status: "paused", by: "absence" });
    this.#deps.tell(peer, { type: "resume-file", fid });
    return true;
  }

  /** Someone is back: what they wait for from us goes on, and they say what became of the rest while they were away. */
  goOnAllTo(peer: ClientId): void {
    for (const message of this.#deps.messages.own()) {
      const state = message.transfers[peer];
      const isOffered = state?.status === "init" && message.deliveries[peer]?.status === "received";
      if (isOffered || wasAccepted(state))
        this.#deps.tell(peer, { type: "resume-file", fid: message.file.fid });
    }
  }

  /**
   * Takes the file a person chose again; everyone who waits for it is sent the rest.
   * Rejects with `wrong-file` when it is another one.
   */
  async choose(fid: FileId, file: File): Promise<void> {
    await this.#deps.library.offered.choose(fid, file);
    for (const message of this.#deps.messages.own()) {
      if (message.file.fid !== fid) continue;
      for (const [peer, state] of Object.entries(message.transfers))
        if (waitsForSource(state)) await this.goOn(peer, message);
    }
  }

  /** Marks, once history and files are read, what has to be chosen again, and frees what nobody refers to. */
  async checkSources(): Promise<void> {
    const wanted = new Set<FileId>();
    for (const message of this.#deps.messages.own()) {
      const open = Object.entries(message.transfers).filter(([, state]) => isOpen(state));
      if (open.length === 0) continue;
      wanted.add(message.file.fid);
      if (await this.#isAtHand(message.file.fid)) continue;
      for (const [peer, { status }] of open) if (status === "paused") this.#waitForSource(message, peer);
    }
    await this.#deps.library.offered.keepOnly(wanted);
    await this.#sweep();
  }

  /** Frees copies of ours that nobody is to get, and parts of files of others that no message goes on with. */
  async #sweep(): Promise<void> {
    const { library, messages } = this.#deps;
    for (const { description, direction, state, peers } of Object.values(library.store.getState())) {
      const { fid } = description;
      const isWanted = messages.isWanted(fid);
      // Somebody may have got a file whose message was removed: it stays until a person deletes it.
      if (direction === "sent" && !(isWanted ?? peers.length > 0)) await library.freeCopy(fid);
      if (direction === "received" && state === "incomplete" && !isWanted) await library.remove(fid);
    }
  }

  /** An offer was withdrawn, which they did not hear or which crossed what they say. */
  #refuse(peer: ClientId, fid: FileId): void {
    this.#deps.tell(peer, { type: "cancel-file", fid });
  }

  async #isAtHand(fid: FileId): Promise<boolean> {
    try {
      return await this.#deps.library.openSource(fid, { ask: false });
    } catch {
      return false; // another one by now: it shows when someone asks for it
    }
  }

  #waitForSource(message: FileMessage, peer: ClientId): void {
    this.#deps.messages.setStatus(message.key, peer, { status: "paused", by: "source" });
    this.#tellPause(peer, message.file.fid, "source");
  }

  #tellPause(peer: ClientId, fid: FileId, by: "me" | "source"): void {
    this.#deps.tell(peer, { type: "pause-file", fid, ...(by === "source" && { reason: by }) });
  }

  #fail(message: FileMessage, peer: ClientId, error: WarrenError): void {
    this.#deps.messages.setStatus(message.key, peer, { status: "error", error: error.describe() });
    this.#deps.tell(peer, errorAnswer(message.id, error));
  }
}

/** Whether a recipient may still want the file. */
function isOpen(state: TransferStatus): boolean {
  if (state.status === "error")
    return !["transfer-cancelled", "transfer-declined"].includes(state.error.code);
  return state.status !== "complete";
}

/** Whether a person here has to do something first, so that waiting for a turn would lead to nothing. */
function standsStill(
  state: TransferStatus | undefined,
): state is Extract<TransferStatus, { status: "paused" }> & { readonly by: "me" | "source" } {
  return state?.status === "paused" && (state.by === "me" || state.by === "source");
}

/** Whether an offer can be one that waits for its turn at its recipient. */
function mayWait(state: TransferStatus | undefined): boolean {
  return state !== undefined && state.status !== "transferring" && state.status !== "complete";
}

/** Whether we hold for accepted what its recipient may not have accepted. */
function wasAccepted(state: TransferStatus | undefined): boolean {
  return state?.status === "paused" && (state.by === "absence" || state.by === "turn");
}

function waitsForSource(state: TransferStatus): boolean {
  return state.status === "paused"
    ? state.by === "source"
    : state.status === "error" && ["source-changed", "source-missing"].includes(state.error.code);
}
