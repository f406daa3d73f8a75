import type { ClientId } from "@warren/protocol";
import type { ChatDeps } from "../messages/chat-deps.ts";
import type { MessageLog } from "../messages/message-log.ts";
import type { Outbox } from "../messages/outbox.ts";
import type { Trust } from "../messages/trust.ts";
import { FileCleanup } from "../offers/file-cleanup.ts";
import { FileOffers } from "../offers/file-offers.ts";
import { FileSearch, type FileSearches } from "../offers/file-search.ts";
import { IncomingOffers } from "../offers/incoming-offers.ts";
import { Offers } from "../offers/offers.ts";
import { OwnFiles } from "../offers/own-files.ts";
import { PassedFiles } from "../offers/passed-files.ts";
import { SameFiles } from "../offers/same-files.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import type { WritableStore } from "../shared/store.ts";
import { OwnShares } from "../shares/own-shares.ts";
import { PeerShares } from "../shares/peer-shares.ts";
import { ShareFetches } from "../shares/share-fetches.ts";
import type { SharedListings } from "../shares/shared-listing.ts";
import { engineChoice } from "../transfer/engine-choice.ts";
import { TransferService } from "../transfer/transfer-service.ts";
import type { TransferSnapshots } from "../transfer/transfer-state.ts";

export interface FileExchangeDeps extends ChatDeps {
  readonly messages: MessageLog;
  readonly outbox: Outbox;
  /** Sends one of our messages, as {@link Outbox.post}: to everyone by the log of the room. */
  readonly post: Outbox["post"];
  readonly trust: Trust;
  readonly transfers: WritableStore<TransferSnapshots>;
  readonly listings: WritableStore<SharedListings>;
  readonly searches: WritableStore<FileSearches>;
  /** Whether a client belongs to the room we are in and reads its log. */
  readonly isMember: (peer: ClientId) => boolean;
  /** Whether nothing that a client said to everyone is taken, or passed on. */
  readonly isBarred: (client: ClientId) => boolean;
  /** Sends a message to a client, unless it has just disconnected. */
  readonly answer: (to: ClientId, message: OutgoingMessage) => void;
}

/** All that clients do with files: offers, shared files and transfers. Meeting needs none of it (`ChatService`). */
export class FileExchange {
  readonly transfers: TransferService;
  readonly offers: Offers;
  readonly fileOffers: FileOffers;
  readonly fileSearch: FileSearch;
  readonly ownFiles: OwnFiles;
  readonly ownShares: OwnShares;
  readonly peerShares: PeerShares;
  readonly shareFetches: ShareFetches;
  readonly sameFiles: SameFiles;
  readonly incoming: IncomingOffers;
  readonly #cleanup: FileCleanup;

  /** Clients that are connected already count as having just connected. */
  constructor(deps: FileExchangeDeps) {
    const { room, messages, outbox } = deps;
    const send = (to: ClientId, message: OutgoingMessage) => void room.send(to, message);
    const sendInTurn = (to: ClientId, message: OutgoingMessage) => room.sendInTurn(to, message);
    const isReady = (peer: ClientId) => room.isReady(peer);
    const transfers = new TransferService({
      ...deps,
      store: deps.transfers,
      engine: engineChoice(deps.transferWorker, deps),
      channels: {
        open: (peerId, label, init) => room.openTransferChannel(peerId, label, init),
        lanesTo: (peerId) => room.lanesTo(peerId),
        on: (type, listener) => room.on(type, listener),
      },
      paceTo: deps.filePaceTo,
    });
    transfers.on("violation", (peer, issue) => room.reportViolation(peer, issue));
    const tell = (to: ClientId, message: OutgoingMessage) => {
      if (room.isReady(to)) deps.answer(to, message);
    };
    const offers = new Offers({ ...deps, transfers });
    const cleanup = new FileCleanup({ ...deps, offers, transfers });
    const fileOffers = new FileOffers({ ...deps, offers, cleanup, transfers, tell, isReady });
    const passed = new PassedFiles({ ...deps, offers });
    const parts = { ...deps, messages, outbox, transfers, offers, passed, fileOffers, send, isReady };
    this.transfers = transfers;
    this.offers = offers;
    this.fileOffers = fileOffers;
    this.#cleanup = cleanup;
    const membersHere = () => room.readyPeers().filter((peer) => deps.isMember(peer));
    this.fileSearch = new FileSearch({ ...parts, membersHere });
    this.ownFiles = new OwnFiles(parts);
    this.ownShares = new OwnShares({ ...parts, sendInTurn });
    this.peerShares = new PeerShares(parts);
    this.shareFetches = new ShareFetches(parts);
    this.sameFiles = new SameFiles(parts);
    this.incoming = new IncomingOffers({ ...parts, sameFiles: this.sameFiles });
    void Promise.all([messages.whenLoaded, deps.whenFilesLoaded]).then(() => cleanup.afterReload());
    for (const peer of room.readyPeers()) void this.peerReady(peer);
  }

  /** A client's channel is open: resumes transfers. */
  async peerReady(peer: ClientId): Promise<void> {
    this.shareFetches.advance(peer);
    this.fileSearch.peerReady(peer);
    await this.fileOffers.peerConnected(peer);
  }

  /** A client's channel is closed. */
  peerLost(peer: ClientId): void {
    this.transfers.peerLost(peer);
    this.peerShares.peerLost(peer);
    this.fileSearch.peerLost(peer);
  }

  /** Resolves once received data is stored. */
  async close(): Promise<void> {
    this.fileSearch.close();
    this.fileOffers.close();
    this.#cleanup.close();
    this.peerShares.close();
    this.shareFetches.close();
    await this.transfers.close();
  }
}
