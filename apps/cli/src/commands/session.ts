import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createWarren,
  type FileReopener,
  type FileStorage,
  type Log,
  type Peer,
  peersOf,
  type Servers,
  Settings,
  type Socket,
  systemClock,
  type Warren,
  WebsocketSignalling,
} from "@warren/core";
import { createPeerConnection } from "@warren/core/node";
import { type ClientId, formatErrorText, WarrenError } from "@warren/protocol";
import { createCertificate } from "../platform/certificate.ts";
import { DiskFileStorage } from "../platform/disk-file-storage.ts";
import { identityIn } from "../platform/identity-file.ts";
import { JournalRecordStorage } from "../platform/journal-record-storage.ts";
import { machineEnvironment } from "../platform/machine-environment.ts";
import { openSocket } from "../platform/node-socket.ts";
import { serverTimeAt } from "../platform/server-time.ts";
import { SettingsFile } from "../platform/settings-file.ts";
import { CommandError, exitCodes, interrupted } from "../terminal/exit-code.ts";
import type { Report } from "../terminal/report.ts";
import type { ServerAddress } from "./server-address.ts";
import { Waiting } from "./waiting.ts";

/** How long to wait before a room is joined again in which nobody answered. */
const rejoinMs = 1_000;
/** How long the last messages may take to leave. */
const farewellMs = 1_000;

export interface SessionOptions {
  /** The folder of the profile. */
  readonly folder: string;
  readonly server: ServerAddress;
  readonly roomId: string;
  readonly password: string | null;
  readonly name: string;
  readonly servers: Servers;
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** How long a member that is there may take to be reached. */
  readonly reachWithinMs: number;
  /** By default that of the profile. */
  readonly fileStorage?: FileStorage;
  readonly fileReopener?: FileReopener;
}

/** Our membership of a room, from the terminal. */
export class Session {
  readonly warren: Warren;
  readonly report: Report;
  readonly signal: AbortSignal;
  readonly #records: JournalRecordStorage;
  readonly #links: OpenLinks;
  readonly #reachWithinMs: number;
  readonly #host: string;
  /** Whether all that somebody offered is here, so that nobody waits for them. */
  isDoneWith: (id: ClientId) => boolean = () => false;
  #isLeaving = false;
  /** What waits in {@link until}. */
  readonly #checks = new Set<() => void>();

  static async open(options: SessionOptions): Promise<Session> {
    const { folder, server, roomId, password, log, name } = options;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const identity = await identityIn(folder);
    const records = new JournalRecordStorage(join(folder, "records"));
    const storage = new SettingsFile(join(folder, "settings.json"));
    const fileStorage = options.fileStorage ?? new DiskFileStorage(join(folder, "files"));
    // Core would wait for storage that cannot be read; here the person is told.
    await Promise.all([records.groups(), fileStorage.listRecords()]);
    const links = new OpenLinks();
    const signallingOf = (own: typeof identity, seats: SettingsFile) =>
      new WebsocketSignalling({
        identity: own,
        openSocket: (url, protocol) => links.addSocket(openSocket(url, protocol)),
        url: () => server.socket,
        clock: systemClock,
        environment: machineEnvironment,
        storage: seats,
        log,
      });
    const warren = createWarren({
      roomLog: true,
      clock: systemClock,
      log,
      identity,
      createCertificate,
      storage,
      settings: new Settings(storage),
      records,
      fileStorage,
      ...(options.fileReopener && { fileReopener: options.fileReopener }),
      environment: machineEnvironment,
      createPeerConnection: (configuration) => links.addConnection(createPeerConnection(configuration)),
      fetch: (url, init) => fetch(url, init),
      serverTime: () => serverTimeAt(server.home),
      signalling: signallingOf(identity, storage),
      mailboxes: (own) => signallingOf(own, storage),
    });
    warren.profile.update({ name, roomId, password, avatar: null });
    warren.settings.set("servers", options.servers);
    // What is sent is on this machine's disk already.
    warren.settings.set("keepSentFiles", false);
    // Whoever runs a command says what it receives.
    warren.settings.set("automaticPictures", false);
    await Promise.all([warren.load(), warren.readFiles()]);
    return new Session(warren, records, links, options);
  }

  private constructor(
    warren: Warren,
    records: JournalRecordStorage,
    links: OpenLinks,
    { report, signal, reachWithinMs, server }: SessionOptions,
  ) {
    this.warren = warren;
    this.report = report;
    this.signal = signal;
    this.#records = records;
    this.#links = links;
    this.#reachWithinMs = reachWithinMs;
    this.#host = new URL(server.home).host;
    const { room } = warren;
    signal.addEventListener("abort", () => room.leave(), { once: true });
    let known = "online";
    room.on("signalling", ({ status }) => {
      if (status === "closed" || status === known) return;
      known = status;
      report.event({ event: "server", status });
    });
    room.on("peer-ready", (id) => this.#reportMet(id));
    // Whoever leaves loses everybody.
    room.on("peer-lost", (id) => {
      if (this.#isLeaving || signal.aborted) return;
      report.event({ event: "lost", id, name: this.nameOf(id), done: this.isDoneWith(id) });
    });
  }

  /**
   * Tries again while nobody answers: who should have let us in may have been killed, and comes back. Says what it waits for.
   * @throws WarrenError as `RoomService.join`; CommandError once we are interrupted
   */
  async join(): Promise<void> {
    const waiting = new Waiting(this.report);
    const { store } = this.warren.room;
    const timer = setInterval(() => {
      const state = store.getState();
      const isHeld = state.status === "connecting" && state.isWaiting;
      waiting.note(isHeld ? { for: "approval" } : { for: "join", host: this.#host });
    }, 1_000);
    try {
      await this.#joinInTime();
    } finally {
      clearInterval(timer);
    }
  }

  async #joinInTime(): Promise<void> {
    const deadlineMs = performance.now() + this.#reachWithinMs;
    for (;;) {
      if (this.signal.aborted) throw interrupted();
      try {
        await this.warren.room.join();
        return;
      } catch (error) {
        if (this.signal.aborted) throw interrupted();
        const isUnanswered = error instanceof WarrenError && error.code === "not-admitted";
        if (!isUnanswered || performance.now() >= deadlineMs) throw error;
      }
      await sleep(rejoinMs);
    }
  }

  /** Leaves the room, stores what is left to store, and lets the others know. */
  async close(): Promise<void> {
    this.#isLeaving = true;
    await this.warren.close();
    this.#records.close();
    await this.#links.whenClosed();
  }

  /** The name of somebody we met. */
  nameOf(id: ClientId): string {
    const name =
      this.warren.room.peer(id)?.profile?.name ?? this.warren.chat.store.getState().contacts[id]?.name;
    return name || id.slice(0, 8);
  }

  /** The members of the room that we can send to. */
  readyPeers(): readonly Peer[] {
    return Object.values(peersOf(this.warren.room.store.getState())).filter(({ ready }) => ready);
  }

  /**
   * Resolves with the first value that `find` returns, looked for at each change of rooms, messages and transfers.
   * @param options.reach whether somebody has to be reached for it
   * @throws CommandError once we are interrupted, are no longer in the room, or cannot reach a member that is there
   */
  async until<T>(
    find: () => T | undefined,
    { reach = () => false }: { readonly reach?: () => boolean } = {},
  ): Promise<T> {
    const { room, chat, transfers } = this.warren;
    let unreachedSinceMs: number | null = null;
    const isUnreached = (): boolean => {
      const peers = Object.values(peersOf(room.store.getState()));
      const isWaiting = reach() && peers.length > 0 && !peers.some(({ ready }) => ready);
      unreachedSinceMs = isWaiting ? (unreachedSinceMs ?? performance.now()) : null;
      return unreachedSinceMs !== null && performance.now() - unreachedSinceMs >= this.#reachWithinMs;
    };
    const stops: (() => void)[] = [];
    try {
      return await new Promise<T>((resolve, reject) => {
        const check = (): void => {
          try {
            const found = find();
            if (found !== undefined) resolve(found);
            else if (this.signal.aborted) throw interrupted();
            const state = room.store.getState();
            if (state.status === "disconnected" && state.error !== null)
              throw new WarrenError(state.error.code, state.error.values);
            if (isUnreached()) throw this.#noPath();
          } catch (error) {
            reject(error);
          }
        };
        for (const store of [room.store, chat.store, transfers.store]) stops.push(store.subscribe(check));
        const timer = setInterval(check, 1_000);
        stops.push(() => clearInterval(timer));
        this.signal.addEventListener("abort", check);
        stops.push(() => this.signal.removeEventListener("abort", check));
        this.#checks.add(check);
        stops.push(() => this.#checks.delete(check));
        check();
      });
    } finally {
      for (const stop of stops) stop();
    }
  }

  /** Something changed that no store of core holds. */
  poke(): void {
    for (const check of [...this.#checks]) check();
  }

  #noPath(): CommandError {
    const [peer] = Object.values(peersOf(this.warren.room.store.getState()));
    const why = peer?.error ? ` (${formatErrorText(peer.error.code, peer.error.values)})` : "";
    return new CommandError(
      `There is no path to the other side${why}. Both networks may block direct connections: a relay (TURN) on the server helps.`,
      exitCodes.noPath,
    );
  }

  #reportMet(id: ClientId): void {
    const peer = this.warren.room.peer(id);
    if (!peer) return;
    const { proof, route } = peer;
    this.report.event({
      event: "met",
      id,
      name: this.nameOf(id),
      verifiable: proof?.verifiable === true,
      safetyCode: proof?.safetyCode ?? [],
      route: route?.kind ?? null,
    });
  }
}

/** The sockets and connections of a session, which close only once their last messages have left. */
class OpenLinks {
  readonly #sockets = new Set<Socket>();
  readonly #connections = new Set<RTCPeerConnection>();

  addSocket(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.addEventListener("close", () => this.#sockets.delete(socket));
    return socket;
  }

  addConnection(connection: RTCPeerConnection): RTCPeerConnection {
    this.#connections.add(connection);
    connection.addEventListener("connectionstatechange", () => {
      if (connection.connectionState === "closed") this.#connections.delete(connection);
    });
    return connection;
  }

  /** Resolves soon even if the other side does not answer. */
  async whenClosed(): Promise<void> {
    const deadlineMs = performance.now() + farewellMs;
    while (this.#sockets.size + this.#connections.size > 0 && performance.now() < deadlineMs)
      await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
