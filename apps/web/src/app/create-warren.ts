import {
  createWarren,
  type Identity,
  type KeyValueStorage,
  type Settings,
  type SignallingBackend,
  systemClock,
  type Warren,
  type WarrenPorts,
  WebsocketSignalling,
} from "@warren/core";
import type { FirebaseConfig } from "@warren/core/firebase";
import { MemoryRecordStorage } from "@warren/core/memory-record-storage";
import { signallingSubprotocol } from "@warren/protocol";
import { resolveLocale } from "../i18n/locales.ts";
import { suggestName } from "../people/nicknames.ts";
import { browserEnvironment } from "../platform/browser-environment.ts";
import { consoleLog } from "../platform/console-log.ts";
import { createTransferWorker } from "../platform/file-storage/create-transfer-worker.ts";
import { MemoryFileStorage } from "../platform/file-storage/memory-file-storage.ts";
import { PickedFiles } from "../platform/files/picked-files.ts";
import { createCertificate } from "../platform/network/browser-certificate.ts";
import { OneTabSignalling } from "../platform/network/one-tab-signalling.ts";
import { RoomLock } from "../platform/network/room-lock.ts";
import { serverTime } from "../platform/network/server-time.ts";
import { identityDatabase, type SocketAhead } from "../platform/network/socket-ahead.ts";
import { videoCodecs } from "../platform/network/video-codecs.ts";
import { browserIdentity } from "../platform/storage/browser-identity.ts";
import { keepsDatabases } from "../platform/storage/indexed-database.ts";
import { IndexedDbRecordStorage } from "../platform/storage/indexeddb-record-storage.ts";
import { isMemoryOnly } from "../platform/storage/next-load.ts";
import { RoomServers } from "./startup/room-servers.ts";
import type { PageStorage } from "./startup/startup-storage.ts";

/** The core in this browser, with the app's own storage. */
export interface BrowserWarren extends PageStorage {
  readonly warren: Warren;
  readonly roomServers: RoomServers;
  readonly pickedFiles: PickedFiles;
  readonly roomLock: RoomLock;
  /** Whether messages and files survive a reload. */
  readonly durable: boolean;
}

type Stores = Pick<WarrenPorts, "records" | "fileStorage" | "readManifest" | "transferWorker">;

/** Persistent stores. */
function durableStores(records: Stores["records"], batchChunks: () => number): Stores {
  const { storage, ...worker } = createTransferWorker("warren-files", batchChunks);
  return { records, fileStorage: storage, ...worker };
}

/** Drawn with the interface, so that meeting does not wait for it. */
const pictures = () => import("../pictures/avatar-image.ts");

/** In-memory stores for a browser without storage, or whose storage does not open: everything works until the page is closed. */
function memoryStores(): Stores {
  return { records: new MemoryRecordStorage(), fileStorage: new MemoryFileStorage() };
}

/** Builds the core from browser APIs. */
export async function createBrowserWarren(
  { storage, tabStorage }: PageStorage,
  settings: Settings,
  socket: SocketAhead,
): Promise<BrowserWarren> {
  const roomServers = new RoomServers(tabStorage);
  const records = new IndexedDbRecordStorage("warren-messages");
  if (!isMemoryOnly()) records.openAhead(); // nobody is met before contacts are read
  const { identity, restore } = await browserIdentity(identityDatabase.name, storage);
  performance.mark("identity read");
  // A persisted key proves that databases work.
  const durable = !isMemoryOnly() && (identity.verifiable || (await keepsDatabases()));
  const batchChunks = (): number => settings.get().maxMemoryCacheSlices;
  const stores = durable ? durableStores(records, batchChunks) : memoryStores();
  const pickedFiles = new PickedFiles();
  const roomLock = new RoomLock({
    locks: navigator.locks, // missing outside secure contexts, whatever the types say
    storage,
    roomId: () => warren.profile.get().roomId,
  });
  const firebase = __FIREBASE__ === null ? null : firebaseSignalling(__FIREBASE__);
  const serverFor = (ownIdentity: Identity, seats: KeyValueStorage): SignallingBackend =>
    firebase ??
    new WebsocketSignalling({
      identity: ownIdentity,
      openSocket: socket.take,
      url: () => signallingUrl(settings),
      clock: systemClock,
      environment: browserEnvironment,
      storage: seats,
      log: consoleLog,
    });
  const warren = createWarren({
    // In memory its numbers would begin again, under a key that stays: others would take that for a second version.
    roomLog: durable,
    clock: systemClock,
    log: consoleLog,
    identity,
    suggestName: () => suggestName(resolveLocale(navigator.languages)),
    createCertificate,
    storage,
    settings,
    ...stores,
    fileReopener: pickedFiles,
    environment: browserEnvironment,
    createPeerConnection: (configuration) => new RTCPeerConnection(configuration),
    videoCodecs: async () => videoCodecs,
    cleanPicture: async (picture, use) => {
      const { redrawnPicture, redrawnThumbnail } = await pictures();
      return use === "avatar" ? redrawnPicture(picture) : redrawnThumbnail(picture);
    },
    drawThumbnail: async (files) => (await pictures()).offerThumbnail(files),
    fetch: (url, init) => fetch(url, init),
    serverTime,
    serversFor: (own, roomId) => roomServers.merge(own, roomId),
    signalling: new OneTabSignalling(
      serverFor(identity, tabStorage),
      roomLock,
      firebase === null
        ? {
            start: () => socket.open(signallingUrl(settings), signallingSubprotocol),
            discard: () => socket.discard(),
          }
        : null,
    ),
    mailboxes: serverFor,
    inOneTab: (backend) => new OneTabSignalling(backend, roomLock),
  });
  warren.chat.on("storage-emptied", () => {
    restore().catch((error: unknown) => consoleLog.warn("the identity could not be stored again", { error }));
  });
  return { warren, storage, tabStorage, roomServers, pickedFiles, roomLock, durable };
}

/** Signalling over a Firebase project. Its code is a chunk of its own, fetched from the start of the page. */
function firebaseSignalling(config: FirebaseConfig): SignallingBackend {
  const load = () => import("@warren/core/firebase");
  load().catch(() => {}); // the join reports it
  let backend: SignallingBackend | null = null;
  return {
    createClient: async (seat) => {
      const { FirebaseSignalling } = await load();
      backend ??= new FirebaseSignalling({
        config,
        clock: systemClock,
        environment: browserEnvironment,
        log: consoleLog,
      });
      return backend.createClient(seat);
    },
  };
}

/** The server from the settings, or that of this build, or the one that served this page. */
export function signallingUrl(settings: Settings): string {
  const own = `${location.origin.replace(/^http/, "ws")}${import.meta.env.BASE_URL}ws`;
  return settings.get().websocketUrl ?? __SIGNALLING_URL__ ?? own;
}
