import { type ClientId, toWarrenError, WarrenError } from "@warren/protocol";
import { RoomCall } from "./call/room-call.ts";
import { ChatService } from "./chat/chat-service.ts";
import type { DoctorPlatform } from "./doctor/doctor.ts";
import type { DoctorVerdict } from "./doctor/verdict.ts";
import { FileLibrary } from "./files/file-library.ts";
import type { Identity } from "./handshake/identity.ts";
import { usableTurns } from "./ice/ice-servers.ts";
import type { ServerCheck } from "./ice/server-check.ts";
import { ServerVerdicts } from "./ice/server-verdicts.ts";
import type { ChatState } from "./messages/chat-state.ts";
import { Invitations } from "./messages/invitations.ts";
import type { CancelTimer, Clock } from "./ports/clock.ts";
import type { FileReopener } from "./ports/file-reopener.ts";
import type { FileStorage } from "./ports/file-storage.ts";
import type { KeyValueStorage } from "./ports/key-value-storage.ts";
import type { ReadManifest } from "./ports/manifest-reader.ts";
import type { CreateCertificate } from "./ports/peer-connection.ts";
import type { DrawThumbnail } from "./ports/pictures.ts";
import type { RecordStorage } from "./ports/record-storage.ts";
import type { SignallingBackend } from "./ports/signalling.ts";
import type { VideoCodecs } from "./ports/video-codecs.ts";
import { ProfileService } from "./profile/profile.ts";
import { Nearby } from "./room/nearby.ts";
import type { QrMeeting } from "./room/qr/qr-meeting.ts";
import { type RoomKey, RoomService, type RoomServiceDeps } from "./room/room-service.ts";
import { isRoomOfTwo, localTagOf, roomTagOf } from "./room/room-tag.ts";
import type { ShortCodes } from "./room/short-code.ts";
import { SealedRooms } from "./sealed/sealed-room.ts";
import type { Options, Servers, TurnServer } from "./settings/options.ts";
import type { Settings } from "./settings/settings.ts";
import { Lazy } from "./shared/lazy.ts";
import { type Log, silentLog } from "./shared/log.ts";
import { answeredRecords } from "./shared/storage/answered-records.ts";
import type { ReadableStore } from "./shared/store.ts";
import type { TransferWorker } from "./transfer/engine-choice.ts";
import type { TransferSnapshots } from "./transfer/transfer-state.ts";

/** How often storage that could not be read is tried again. A page gets no event when a disk has space again. */
const readAgainMs = 5_000;

/** The platform services that Warren needs. */
export interface WarrenPorts
  extends Pick<
    RoomServiceDeps,
    "createPeerConnection" | "fetch" | "serverTime" | "environment" | "random" | "cleanPicture"
  > {
  readonly clock: Clock;
  /** The identity of this browser. */
  readonly identity: Identity;
  /** The name of a person who has not chosen one; an English nickname by default. */
  readonly suggestName?: () => string;
  readonly createCertificate: CreateCertificate;
  /** The profile, and what else is small. */
  readonly storage: KeyValueStorage;
  /** The options of this browser. */
  readonly settings: Settings;
  /** Contacts and messages. */
  readonly records: RecordStorage;
  /** Files and their records. */
  readonly fileStorage: FileStorage;
  /** Reopens files after a reload; if absent, no file is reopened. */
  readonly fileReopener?: FileReopener;
  /** Draws thumbnails of offered files; if absent, offers have none. */
  readonly drawThumbnail?: DrawThumbnail;
  /** Reads the manifests of trees; this thread does if absent. */
  readonly readManifest?: ReadManifest;
  /** Moves the bytes of files; this thread does if absent. */
  readonly transferWorker?: TransferWorker;
  /** The browser's video codecs; if absent, the browser chooses. */
  readonly videoCodecs?: () => Promise<VideoCodecs>;
  /** Connects to rooms. */
  readonly signalling: RoomServiceDeps["signalling"];
  /** Connects to the same server under another identity, beside the current room, to meet the other device of a short code. */
  readonly mailboxes: (identity: Identity, seats: KeyValueStorage) => SignallingBackend;
  /**
   * The servers for a room, given those of the settings: a link to the room may have added more. Equal answers have to
   * be the same object, because credentials are cached for it.
   */
  readonly serversFor?: (own: Servers, roomId: string) => Servers;
  /** Makes a backend give way to other tabs of this browser, and them to it; they do not know of each other if absent. */
  readonly inOneTab?: (backend: SignallingBackend) => SignallingBackend;
  /** Whether what is said to everyone goes by signed logs. */
  readonly roomLog?: boolean;
  readonly log?: Log;
}

/** Two pages that have read each other's codes, and the room that they have. */
export type MetByCode = SignallingBackend & Pick<QrMeeting, "opened" | "peerId" | "room">;

/** A complete peer: all services, connected to each other. */
export interface Warren {
  readonly profile: ProfileService;
  readonly settings: Settings;
  /** Whether others can verify that our id is our own, so that a link may name us as its creator. */
  readonly isVerifiable: boolean;
  readonly invitations: Invitations;
  readonly room: RoomService;
  readonly nearby: Nearby;
  readonly chat: ChatService;
  readonly transfers: { readonly store: ReadableStore<TransferSnapshots> };
  readonly files: FileLibrary;
  readonly call: RoomCall;
  /** Short codes that stand for a link, loaded with their first use. Rejects with `app-code-missing`. */
  shortCodes(): Promise<ShortCodes>;
  /** A meeting of two pages by each other's QR codes, without a server. Rejects with `app-code-missing`. */
  qrMeeting(): Promise<QrMeeting>;
  /**
   * Joins the room of two pages that have read each other's codes, instead of any other. If the other's code was scanned, not
   * passed on as text, it counts as verified once it has proven its key. Rejects as {@link RoomService.join} and
   * {@link QrMeeting.opened}; then the meeting is to be closed, and the profile names the room that it did before.
   */
  joinMet(meeting: MetByCode, how: { readonly isScanned: boolean }): Promise<void>;
  /**
   * Loads contacts, then the history, from storage. Where storage does not open, for example on a full disk, it is tried
   * again until it does; {@link ChatState.loadError} is set meanwhile. Rooms can be joined before, but no client is met
   * until contacts have been loaded, because a blocked one would pass for a stranger; and no message is handled until the
   * history has, because files of an unknown history would pass for withdrawn.
   */
  load(): Promise<void>;
  /**
   * Reads which files are here, trying again as {@link load} does. Meeting does not need them: a page calls this once people
   * have met, and what is done with files before reads them itself.
   */
  readFiles(): Promise<void>;
  /** Whether a relay is configured, here, by the link to this room or by its server, for when there is no direct route. */
  hasRelay(): boolean;
  /** Why this browser refuses the address of a STUN or TURN server, in its own words; null if it accepts it. */
  refusalOf(url: string): string | null;
  /** Tests a STUN or TURN server by gathering candidates from it alone; contacts nobody else. */
  checkServer(server: string | TurnServer): Promise<ServerCheck>;
  /**
   * Finds what stands between this browser and others, within 15 s. Never rejects, except with `app-code-missing`.
   * @param onVerdicts gets the findings of each step as they are made
   */
  diagnose(
    platform: DoctorPlatform,
    onVerdicts: (verdicts: readonly DoctorVerdict[]) => void,
  ): Promise<readonly DoctorVerdict[]>;
  /** Leaves, stops everything, and resolves once received data is stored. */
  close(): Promise<void>;
}

/** Creates the services and connects their events. Stores the pictures of people met, and retries reading storage. */
export function createWarren(ports: WarrenPorts): Warren {
  const { clock, storage, settings, log = silentLog } = ports;
  const profile = new ProfileService(storage, ports.identity.clientId, clock.now(), ports.suggestName);
  const invitations = new Invitations(storage);
  const options = () => settings.get();
  let endReadingContacts = () => {};
  const contactsRead = new Promise<void>((resolve) => {
    endReadingContacts = resolve;
  });
  let endReadingFiles = () => {};
  const filesRead = new Promise<void>((resolve) => {
    endReadingFiles = resolve;
  });

  const optionsHere = (): Options => {
    const own = options();
    return { ...own, servers: ports.serversFor?.(own.servers, profile.get().roomId) ?? own.servers };
  };

  const verdicts = new ServerVerdicts(ports.createPeerConnection);
  const security = new SealedRooms({
    identity: ports.identity,
    createCertificate: ports.createCertificate,
    clock,
    mustProveId: async (clientId) => {
      await contactsRead;
      return chat.store.getState().contacts[clientId]?.proven === true || invitations.has(clientId);
    },
  });
  // Only entries that a key signed are passed on.
  const hasRoomLog = ports.roomLog === true && ports.identity.verifiable;
  const room = new RoomService({
    ...ports,
    hasRoomLog,
    verdicts,
    profile: () => profile.get(),
    options: optionsHere,
    signalling: ports.signalling,
    security,
  });
  /** The room that we are in, or that the profile names. */
  const presentRoom = (): RoomKey => room.entered ?? profile.get();
  const logTag = () => {
    const { roomId, password } = presentRoom();
    return security.logTag({
      roomTag: roomTagOf(roomId),
      password: isRoomOfTwo(roomId) ? null : password,
    });
  };
  const files = new FileLibrary({
    ...{ storage: ports.fileStorage, reopener: ports.fileReopener, clock, log },
    readManifest: ports.readManifest,
    keepsCopies: () => options().keepSentFiles,
  });
  const call = new RoomCall({
    ...{
      room,
      clock,
      log,
      environment: ports.environment,
      videoCodecs: ports.videoCodecs,
      ceilings: options,
    },
    filePaceChanged: (peerId) => chat.filePaceChanged(peerId),
    callOver: (past) => void chat.addCall(past),
  });
  const chat = new ChatService({
    hasRoomLog,
    selfId: profile.get().clientId,
    identity: ports.identity,
    ownName: () => profile.get().name,
    roomTag: localTagOf(presentRoom()),
    logTag,
    room,
    library: files,
    transferWorker: ports.transferWorker,
    whenFilesLoaded: filesRead,
    storage: answeredRecords(ports.records, clock),
    invitations,
    cleanPicture: ports.cleanPicture ?? noPicture,
    drawThumbnail: ports.drawThumbnail ?? noPicture,
    filePaceTo: (peerId) => call.filePaceTo(peerId),
    options,
    clock,
    log,
  });

  chat.on("storage-emptied", () => void files.restore());
  room.on("message", (from, message) => {
    if (message.type === "profile") {
      const proven = room.peer(from)?.proof?.verifiable === true;
      // A picture is stored only after it is redrawn.
      const picture = message.avatar === null ? { avatar: null } : {};
      chat.remember({ clientId: from, name: message.name, proven, ...picture, isNearby: room.isNearby });
    }
    void chat.receive(from, message);
  });
  room.on("picture", (from, avatar) => chat.rememberPicture(from, avatar));
  room.on("peer-ready", (peer) => {
    // The handshake with it succeeds with the password alone.
    if (room.entered !== null) chat.proveRoom(room.entered);
    chat.peerReady(peer);
  });
  room.on("peer-lost", (peer) => chat.peerLost(peer));
  room.on("peer-unreachable", (peer) => chat.peerUnreachable(peer));
  room.on("peer-reachable", (peer) => chat.peerReachable(peer));
  const shortCodes = new Lazy(clock, async () => {
    const { ShortCodes } = await import("./room/short-code.ts");
    const connect = (identity: Identity, seats: KeyValueStorage) => ports.mailboxes(identity, seats);
    return () => new ShortCodes({ clock, connect });
  });
  const qrMeetings = new Lazy(clock, async () => {
    const { QrMeeting } = await import("./room/qr/qr-meeting.ts");
    return () => () =>
      new QrMeeting({
        ...{ clientId: profile.get().clientId, createPeerConnection: ports.createPeerConnection, clock },
        certificates: () => security.certificates(),
      });
  });
  /** The other page of the room that was joined by code, until it is met; a scanned code named it face to face. */
  let metByCode: { readonly clientId: ClientId | null; readonly isScanned: boolean } | null = null;
  room.on("peer-ready", (clientId) => {
    if (clientId !== metByCode?.clientId) return;
    const { isScanned } = metByCode;
    metByCode = null;
    const met = presentRoom();
    chat.updateRoom(met, { metWith: clientId });
    chat.visitRoom(met);
    chat.proveRoom(met);
    if (isScanned && room.peer(clientId)?.proof?.verifiable === true) chat.markVerified(clientId);
  });
  const nearby = new Nearby({ room, settings, clock, environment: ports.environment });
  const stopRefusing = chat.store.subscribe((now, before) => {
    if (now.contacts === before.contacts) return;
    for (const clientId of blockedIn(now)) if (!isBlocked(before, clientId)) room.refuse(clientId);
    for (const clientId of blockedIn(before)) if (!isBlocked(now, clientId)) room.admit(clientId);
  });
  const enterPresentRoom = () => chat.enterRoom(localTagOf(presentRoom()));
  const stopFollowingRoom = [
    profile.store.subscribe(enterPresentRoom),
    room.store.subscribe((now, before) => {
      enterPresentRoom();
      if (now.status !== "connected") return;
      // One that was joined by code is kept once the other has shown that it is who its code says: its password is new.
      if (before.status !== "connected" && metByCode === null) chat.visitRoom(presentRoom());
    }),
  ];
  const stopAnnouncing = profile.store.subscribe((now, before) => {
    if (now.name !== before.name || now.avatar !== before.avatar) room.announceProfile();
  });

  const readAgain = new Set<CancelTimer>();
  const untilRead = async (read: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        return await read();
      } catch (thrown) {
        log.warn("storage could not be read", { code: toWarrenError(thrown).code });
      }
      await new Promise<void>((resolve) => {
        const cancel = clock.after(readAgainMs, () => {
          readAgain.delete(cancel);
          resolve();
        });
        readAgain.add(cancel);
      });
    }
  };

  return {
    profile,
    settings,
    isVerifiable: ports.identity.verifiable,
    invitations,
    room,
    nearby,
    chat,
    transfers: { store: chat.transfers },
    files,
    call,
    shortCodes: () => shortCodes.load(),
    qrMeeting: async () => (await qrMeetings.load())(),
    joinMet: async (meeting, { isScanned }) => {
      await meeting.opened();
      const met = meeting.room;
      if (met === null) throw new WarrenError("connection-closed");
      const { roomId, password, initialJoin } = profile.get();
      room.leave();
      profile.update({ ...met, initialJoin: false });
      metByCode = { clientId: meeting.peerId, isScanned };
      try {
        await room.join(ports.inOneTab?.(meeting) ?? meeting);
      } catch (thrown) {
        // Unless somebody went on to another room meanwhile.
        if (profile.get().roomId === met.roomId) {
          metByCode = null;
          profile.update({ roomId, password, initialJoin });
        }
        throw thrown;
      }
    },
    load: async () => {
      await untilRead(() => chat.loadContacts());
      endReadingContacts();
      await untilRead(() => chat.load());
    },
    readFiles: () => untilRead(() => files.load()).then(endReadingFiles),
    hasRelay: () => room.relays.length > 0 || usableTurns(optionsHere().servers).length > 0,
    // Whoever signs in, and how: it is about the address.
    refusalOf: (url) => verdicts.refusalOf({ urls: url, username: "name", credential: "password" }),
    checkServer: async (server) =>
      (await import("./ice/server-check.ts")).checkServer(server, { ...ports, verdicts }),
    diagnose: async (platform, onVerdicts) => {
      const { diagnose } = await import("./doctor/doctor.ts");
      const { servers } = optionsHere();
      return diagnose({ ...ports, servers, relays: async () => room.relays, platform }, onVerdicts);
    },
    close: async () => {
      for (const cancel of readAgain) cancel();
      for (const stop of stopFollowingRoom) stop();
      stopAnnouncing();
      stopRefusing();
      call.close();
      nearby.close();
      room.close();
      await chat.close();
    },
  };
}

async function noPicture(): Promise<null> {
  return null;
}

function isBlocked({ contacts }: ChatState, clientId: ClientId): boolean {
  return contacts[clientId]?.trustLevel === "blocked";
}

function blockedIn(state: ChatState): ClientId[] {
  return Object.keys(state.contacts).filter((clientId) => isBlocked(state, clientId));
}
