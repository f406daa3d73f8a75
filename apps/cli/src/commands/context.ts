import { hostname } from "node:os";
import {
  type FileReopener,
  type FileStorage,
  type Log,
  optionTable,
  type Servers,
  serverHosts,
  stunUrlSchema,
} from "@warren/core";
import { displayNameSchema, v } from "@warren/protocol";
import { DataFolder, dataFolderIn, type Profile, type Task } from "../platform/data-folder.ts";
import { CommandError } from "../terminal/exit-code.ts";
import type { Report, ReportStreams } from "../terminal/report.ts";
import type { Options } from "./commands.ts";
import { type ServerAddress, serverAt } from "./server-address.ts";
import { Session } from "./session.ts";

export interface RoomToOpen {
  readonly roomId: string;
  readonly password: string | null;
  /** The servers that a link brings along. */
  readonly servers: Servers | null;
}

interface SessionToOpen {
  readonly profile: Profile;
  readonly server: ServerAddress;
  readonly room: RoomToOpen;
  readonly fileStorage?: FileStorage;
  readonly fileReopener?: FileReopener;
}

interface ContextParts {
  readonly options: Options;
  readonly operands: readonly string[];
  readonly report: Report;
  readonly streams: ReportStreams;
  readonly signal: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
}

/** What every command works with. */
export class CommandContext {
  readonly options: Options;
  readonly operands: readonly string[];
  readonly report: Report;
  readonly streams: ReportStreams;
  readonly signal: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
  readonly data: DataFolder;

  constructor({ options, operands, report, streams, signal, env }: ContextParts) {
    this.options = options;
    this.operands = operands;
    this.report = report;
    this.streams = streams;
    this.signal = signal;
    this.env = env;
    this.data = new DataFolder(dataFolderIn(env));
  }

  /** The server that is named, for commands without a link. */
  server(): ServerAddress {
    const address = this.options.server ?? this.env.WARREN_SERVER;
    if (!address)
      throw new CommandError(
        "Name the server with --server https://warren.example.org or in WARREN_SERVER. `warren serve` starts one.",
      );
    return serverAt(address, this.options.signalling);
  }

  /**
   * Holds a profile while `use` runs, which gets what an interrupted run of the same command left there.
   * @param key what makes it the same command; null for one that begins anew each time
   */
  async withProfile<T>(
    key: readonly string[] | null,
    use: (profile: Profile, task: Task | null) => Promise<T>,
  ): Promise<T> {
    const profile = this.data.hold(key);
    const tasks = key === null ? [] : this.data.tasks(key);
    const task = tasks.find((one) => one.profile === profile.number) ?? null;
    if (profile.number > 1 && task === null)
      this.report.line("Another warren runs here, so that this one is somebody else to those who trust it.");
    try {
      return await use(profile, task);
    } finally {
      profile.release();
    }
  }

  openSession({ profile, server, room, ...files }: SessionToOpen): Promise<Session> {
    const { roomId, password } = room;
    return Session.open({
      folder: profile.folder,
      server,
      roomId,
      password,
      name: this.#name(),
      servers: this.servers(room.servers),
      report: this.report,
      signal: this.signal,
      log: this.#log(),
      reachWithinMs: this.#reachWithinMs(),
      ...files,
    });
  }

  /** The STUN servers that are named, or the usual one. */
  #stuns(): string[] {
    const stuns = this.options.stun?.filter((url) => url !== "none") ?? optionTable.servers.default.stuns;
    for (const url of stuns)
      if (!v.is(stunUrlSchema, url))
        throw new CommandError(`${url} is no STUN server, such as stun:host:3478`);
    return [...stuns];
  }

  /** Servers of a link would learn our address, so they are used only if the person says so. */
  servers(ofLink: Servers | null): Servers {
    const { "link-servers": takesLink } = this.options;
    const stuns = this.#stuns();
    if (ofLink === null || ofLink.stuns.length + ofLink.turns.length === 0) return { stuns, turns: [] };
    if (takesLink) return { stuns: [...stuns, ...ofLink.stuns].slice(0, 8), turns: [...ofLink.turns] };
    const hosts = serverHosts(ofLink).join(", ");
    this.report.line(
      `The link names servers of its own, which are not used without --link-servers: ${hosts}`,
    );
    return { stuns, turns: [] };
  }

  #name(): string {
    const name = this.options.name ?? (this.env.WARREN_NAME || hostname());
    if (!v.is(displayNameSchema, name)) throw new CommandError(`"${name}" is no name for others.`);
    return name;
  }

  #reachWithinMs(): number {
    const { reach = "60" } = this.options;
    if (!/^[1-9]\d{0,5}$/.test(reach))
      throw new CommandError(`--reach ${reach}: a number of seconds, such as 60`);
    return Number(reach) * 1_000;
  }

  #log(): Log {
    const level = this.env.WARREN_LOG;
    const write = (message: string, details: unknown) =>
      this.report.line(`[${message}] ${JSON.stringify(details ?? {})}`);
    return {
      debug: (message, details) => level === "debug" && write(message, details),
      warn: (message, details) => (level === "debug" || level === "warn") && write(message, details),
    };
  }
}
