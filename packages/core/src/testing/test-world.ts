import { type ClientId, WarrenError } from "@warren/protocol";
import type { FileExchange } from "../chat/file-exchange.ts";
import { generateIdentityKey, type Identity, identityOf } from "../handshake/identity.ts";
import type { ChatMessage, ConversationId, FileMessage } from "../messages/message.ts";
import type { Clock } from "../ports/clock.ts";
import type { EnvironmentEvents } from "../ports/environment.ts";
import type { StoredRecord } from "../ports/record-storage.ts";
import type { SignallingBackend } from "../ports/signalling.ts";
import { peersOf } from "../room/room-state.ts";
import { Settings } from "../settings/settings.ts";
import { Emitter } from "../shared/emitter.ts";
import { randomUuid } from "../shared/ids.ts";
import { MemoryKeyValueStorage } from "../shared/storage/memory-key-value-storage.ts";
import { MemoryRecordStorage } from "../shared/storage/memory-record-storage.ts";
import { offerNow, type TransferState } from "../transfer/offer-state.ts";
import { transferKeyOf } from "../transfer/transfer-state.ts";
import { createWarren, type Warren } from "../warren.ts";
import { createFakeCertificate } from "./fake-certificate.ts";
import { FakeClock, settle } from "./fake-clock.ts";
import { FakeDisk } from "./fake-disk.ts";
import { FakeNetwork } from "./fake-network.ts";
import { MemoryFileStorage } from "./memory-file-storage.ts";
import { MemorySignalling } from "./memory-signalling.ts";
import { untilAny } from "./until.ts";

/** A picture that no browser can decode. */
export const hostilePicture = "data:image/png;base64,iVBORw0KGgoAAAAA";

/** The environment of several people's browsers: time, signalling service and network, controlled by a test. */
export class TestWorld {
  readonly clock = new FakeClock();
  readonly signalling = new MemorySignalling();
  readonly network = new FakeNetwork();
  /** Whether what is said to everyone goes by signed logs. */
  readonly roomLog: boolean;
  /** What each page meets the others over. */
  newSignalling: () => SignallingBackend = () => this.signalling;

  constructor({ roomLog = true } = {}) {
    this.roomLog = roomLog;
  }

  /** A person with an empty browser, about to join the room "burrow". */
  async person(name: string, password: string | null = null, clock: Clock = this.clock): Promise<TestPerson> {
    const { subtle } = crypto;
    const identity = await identityOf(await generateIdentityKey(subtle), subtle);
    const person = new TestPerson(this, name, identity, password, clock);
    await person.open();
    return person;
  }

  /** As {@link person}, on a page without a secure context: with an id that cannot be proven. */
  async keylessPerson(name: string): Promise<TestPerson> {
    const { subtle } = crypto;
    const known = await identityOf(await generateIdentityKey(subtle), subtle);
    const identity = {
      ...known,
      clientId: randomUuid(),
      publicKey: new Uint8Array(0),
      verifiable: false,
    };
    const person = new TestPerson(this, name, identity, null, this.clock);
    await person.open();
    return person;
  }

  /** Two people in one room whose messages reach each other. */
  async twoPeers(): Promise<[TestPerson, TestPerson]> {
    const mara = await this.person("Mara");
    const jun = await this.person("Jun");
    await mara.warren.room.join();
    await jun.warren.room.join();
    await this.untilMet(mara, jun);
    return [mara, jun];
  }

  /** Has these people join the room that all of them are for, and waits until they have met and told each other what they have. */
  async gather(...people: readonly TestPerson[]): Promise<void> {
    for (const person of people) await person.warren.room.join();
    for (const one of people) for (const other of people) if (one !== other) await this.untilMet(one, other);
    await this.clock.advance(3_000);
  }

  /** Advances time until two people in a room can send to each other; fails after a minute of it. */
  async untilMet(a: TestPerson, b: TestPerson): Promise<void> {
    const sees = (one: TestPerson, other: TestPerson) =>
      peersOf(one.warren.room.store.getState())[other.id]?.ready === true;
    await this.until(() => sees(a, b) && sees(b, a));
  }

  /** Advances time until the check passes; fails after a minute of it. */
  async until(check: () => boolean): Promise<void> {
    for (let passedMs = 0; passedMs < 60_000; passedMs += 250) {
      await this.clock.advance(250);
      if (check()) return;
    }
    throw new Error("it did not come to hold within a minute");
  }
}

const drawn = "data:image";

/** Whether a file is a thumbnail: reading millions of random bytes as text takes longer than sending them. */
async function isDrawn(file: File): Promise<boolean> {
  return (await file.slice(0, drawn.length).text()) === drawn;
}

interface OpenOptions {
  readonly joinFirst?: boolean;
  readonly isIdle?: boolean;
}

/** A person with a browser whose page can be closed and reopened on the same storage. */
export class TestPerson {
  readonly #world: TestWorld;
  readonly #name: string;
  readonly #storage = new MemoryKeyValueStorage();
  readonly #records = new StallingRecordStorage();
  readonly #identity: Identity;
  readonly #password: string | null;
  readonly #clock: Clock;
  readonly files = new MemoryFileStorage({ kind: "opfs" });
  /** The person's own disk, as far as the browser can reopen files on it. */
  readonly disk = new FakeDisk();
  readonly clipboard: string[] = [];
  /** Texts written to the clipboard without asking. */
  readonly writtenClipboard: string[] = [];
  /** Whether the code that redraws pictures can be fetched. */
  hasCodeForPictures = true;
  /** How often the platform was asked to restore the data that it stores outside of the core. */
  timesKeptWereRestored = 0;
  #warren: Warren | null = null;
  readonly #environment = new Emitter<EnvironmentEvents>();

  constructor(world: TestWorld, name: string, identity: Identity, password: string | null, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
    this.#identity = identity;
    this.#password = password;
    this.#name = name;
  }

  get warren(): Warren {
    if (this.#warren === null) throw new Error(`${this.#name} has no page open`);
    return this.#warren;
  }

  /** All that it does with files, loaded when the page was opened. */
  get exchange(): FileExchange {
    const { value } = this.warren.chat.exchange;
    if (value === null) throw new Error(`${this.#name}'s page has not loaded the code for files`);
    return value;
  }

  get id(): string {
    return this.warren.profile.get().clientId;
  }

  /** An offer as this person sees it: its transfer if that exists, or what is stored of it. */
  offerOf({ file, offers }: FileMessage, peer: ClientId): TransferState | undefined {
    const transfer = this.warren.transfers.store.getState().get(transferKeyOf(peer, file.fid))?.now;
    const offer = offers[peer];
    return offer && offerNow(offer, transfer);
  }

  /**
   * Opens the page; with `joinFirst` it joins the room before it has read its history. Resolves once that is read, unless
   * storage is unreadable, and once the code for files is loaded, unless `isIdle` is false.
   */
  async open({ joinFirst = false, isIdle = true }: OpenOptions = {}): Promise<void> {
    const { newSignalling, network, roomLog } = this.#world;
    this.#records.writesLeft = Number.POSITIVE_INFINITY;
    const warren = createWarren({
      roomLog,
      identity: this.#identity,
      createCertificate: async () => createFakeCertificate(),
      clock: this.#clock,
      storage: this.#storage,
      settings: new Settings(this.#storage),
      records: this.#records,
      fileStorage: this.files,
      fileReopener: this.disk,
      signalling: newSignalling(),
      mailboxes: () => newSignalling(),
      createPeerConnection: network.createPeerConnection,
      environment: this.#environment,
      fetch: () => Promise.reject(new TypeError("no network in tests")),
      serverTime: async () => this.#world.clock.now(),
      random: () => 0.5,
      // As a browser would: only for files marked as a picture.
      drawThumbnail: async ([file]) => (file && (await isDrawn(file)) ? file.text() : null),
      cleanPicture: async (picture, use) => {
        if (!this.hasCodeForPictures) throw new WarrenError("app-code-missing");
        return picture === hostilePicture ? null : `${picture}${use === "avatar" ? "#redrawn" : "REDRAWN"}`;
      },
    });
    warren.profile.update({ name: this.#name, roomId: "burrow", password: this.#password });
    warren.settings.set("servers", { stuns: [], turns: [] });
    warren.chat.on("storage-emptied", () => void this.timesKeptWereRestored++);
    warren.chat.on("clipboard", ({ data }, allowed) => {
      this.clipboard.push(data);
      if (allowed) this.writtenClipboard.push(data);
    });
    this.#warren = warren;
    // Its code takes real time to load, while test time runs as fast as possible.
    await Promise.all([
      import("../chat/file-exchange.ts"),
      import("../chat/log-exchange.ts"),
      import("../transfer/engine/local-transfer-engine.ts"),
    ]);
    if (joinFirst) {
      await warren.room.join();
      await this.#world.clock.advance(5_000);
    }
    const loading = Promise.all([warren.load(), warren.readFiles()]);
    if (isIdle) await warren.chat.exchange.load();
    if (this.files.isUnreadable) return;
    await loading;
    await settle();
  }

  /** Closes the page; storage remains. */
  async close(): Promise<void> {
    await this.#warren?.close();
    this.#warren = null;
  }

  /** The tab is closed or reloaded: the page can say goodbye, and runs no further. */
  vanish(): void {
    this.#environment.emit("gone");
    this.#environment.clear();
    this.#warren = null;
  }

  /** The disk hangs: received data is not stored, and so not acknowledged. */
  stall(): void {
    this.#records.stall();
  }

  /** The disk responds again, including to earlier requests. */
  resume(): void {
    this.#records.resume();
  }

  /** Holds the history back, while contacts can be read, until the returned function is called. */
  holdHistory(): () => void {
    return this.#records.holdHistory();
  }

  /** The logs of rooms cannot be read, until the returned function is called. */
  holdLogs(): () => void {
    this.#records.areLogsUnreadable = true;
    return () => {
      this.#records.areLogsUnreadable = false;
    };
  }

  /** Reading the logs of rooms gets no answer, from the next time the page is opened, until the returned function is called. */
  leaveLogsUnanswered(): () => void {
    this.#records.areLogsUnanswered = true;
    return () => {
      this.#records.areLogsUnanswered = false;
    };
  }

  /** The page stores so much more, and then nothing until it is opened again. */
  stopStoringAfter(writes: number): void {
    this.#records.writesLeft = writes;
  }

  /** Another program fills or frees the disk: nothing is stored while it is full. */
  setDiskFull(isFull: boolean): void {
    this.#records.isFull = isFull;
    this.files.isFull = isFull;
  }

  /** The browser can no longer open its databases, or can again. */
  setStorageUnreadable(isUnreadable: boolean): void {
    this.#records.isUnreadable = isUnreadable;
    this.files.isUnreadable = isUnreadable;
  }

  /** The browser deletes all storage of this origin, as Chromium does when it finds the disk full. */
  async emptyStorage(): Promise<void> {
    await this.#records.deleteGroups(await this.#records.groups());
    for (const { fid } of await this.files.listRecords()) await this.files.remove(fid);
  }

  /** Everything that is stored in records. */
  async storedRecords(): Promise<readonly StoredRecord[]> {
    const groups = await this.#records.groups();
    return (await Promise.all(groups.map((group) => this.#records.list(group)))).flat();
  }

  /** Puts into storage what another version of the page has left there. */
  async store(records: readonly StoredRecord[]): Promise<void> {
    await this.#records.write({ put: records });
  }

  /** Opens the page again and joins. */
  async reopen(): Promise<void> {
    await this.open();
    await this.warren.room.join();
  }

  async reload(): Promise<void> {
    await this.close();
    await this.reopen();
  }

  /** Leaves the room for another one. */
  async goTo(roomId: string): Promise<void> {
    this.warren.room.leave();
    this.warren.profile.update({ roomId });
    await this.warren.room.join();
  }

  /** The messages of a conversation, as shown. */
  messages(conversation: ConversationId): readonly ChatMessage[] {
    return this.warren.chat.store.getState().conversations[conversation]?.messages ?? [];
  }

  /** The texts of a conversation, as shown. */
  texts(conversation: ConversationId): string[] {
    return this.messages(conversation).flatMap((message) => (message.type === "text" ? [message.data] : []));
  }

  /** Resolves once the conversation passes the check, which may also read the transfers of its files. */
  async untilMessages(conversation: ConversationId, check: (messages: readonly ChatMessage[]) => boolean) {
    const { chat, transfers } = this.warren;
    await untilAny([chat.store, transfers.store], () => check(this.messages(conversation)));
    return this.messages(conversation);
  }
}

class StallingRecordStorage extends MemoryRecordStorage {
  isFull = false;
  isUnreadable = false;
  areLogsUnreadable = false;
  writesLeft = Number.POSITIVE_INFINITY;
  areLogsUnanswered = false;
  #waiting: Promise<void> = Promise.resolve();
  #release: () => void = () => {};
  #history: Promise<void> = Promise.resolve();

  stall(): void {
    this.#waiting = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  resume(): void {
    this.#release();
  }

  holdHistory(): () => void {
    let release = (): void => {};
    this.#history = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  override async groups(): Promise<string[]> {
    await this.#history;
    return super.groups();
  }

  override async list(...args: Parameters<MemoryRecordStorage["list"]>): Promise<StoredRecord[]> {
    const isHeld = this.areLogsUnreadable && args[0].startsWith("log/");
    if (this.areLogsUnanswered && args[0].startsWith("log/")) await new Promise(() => {});
    if (this.isUnreadable || isHeld) throw new WarrenError("db-not-initialized");
    return super.list(...args);
  }

  override async write(...args: Parameters<MemoryRecordStorage["write"]>): Promise<void> {
    this.#requireRoom();
    await this.#requireLife();
    return super.write(...args);
  }

  override async addIfAbsent(...args: Parameters<MemoryRecordStorage["addIfAbsent"]>): Promise<boolean> {
    await this.#waiting;
    this.#requireRoom();
    await this.#requireLife();
    return super.addIfAbsent(...args);
  }

  async #requireLife(): Promise<void> {
    if (this.writesLeft-- <= 0) await new Promise(() => {});
  }

  /** As in Chromium: its database cannot be reopened while the disk is full. */
  #requireRoom(): void {
    if (this.isFull || this.isUnreadable) throw new WarrenError("db-not-initialized");
  }
}
