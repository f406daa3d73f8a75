import { createHash } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { generatePassword, newRoomId } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { PipeTarget } from "../files/pipe-target.ts";
import { partsPrefix, TargetFolder } from "../files/target-folder.ts";
import type { Profile, Task } from "../platform/data-folder.ts";
import { systemCodeOf } from "../platform/disk-error.ts";
import { DiskFileStorage } from "../platform/disk-file-storage.ts";
import { identityIn } from "../platform/identity-file.ts";
import { TrustedPeople } from "../platform/trusted-people.ts";
import { CommandError, exitCodes } from "../terminal/exit-code.ts";
import type { CommandContext } from "./context.ts";
import { type Decide, Receiver, type Target } from "./receiver.ts";
import { readRoomLink } from "./server-address.ts";
import { showLink } from "./show-link.ts";
import { TaskFiles } from "./task-files.ts";
import { personCalled } from "./trust.ts";

const defaultDir = ".";

/** `warren receive LINK` and `warren receive --always` */
export async function receive(context: CommandContext): Promise<void> {
  const { options } = context;
  if (options.always) return receiveAlways(context);
  const [address, ...rest] = context.operands;
  if (address === undefined || rest.length > 0)
    throw new CommandError("Name one link, as `warren send` or a browser shows it.");
  if (options.from) throw new CommandError("--from goes with --always.");
  if (!options.yes && !context.report.canAsk)
    throw new CommandError("Nobody can be asked here whether to receive: add --yes.");
  const link = readRoomLink(address, options.signalling);
  const target = targetOf(context);
  const { data, report, signal } = context;
  const key = ["receive", link.server.home, link.roomId, target instanceof PipeTarget ? "-" : target.path];
  await context.withProfile(key, async (profile, task) => {
    const { roomId, password } = link;
    const save = (files: Task["files"]) =>
      data.saveTask(key, { profile: profile.number, roomId, password, ...(files && { files }) });
    save(task?.files);
    const storage = await storageFor(target, profile, key);
    const room = { roomId, password, servers: link.servers };
    const session = await context.openSession({ profile, server: link.server, room, fileStorage: storage });
    try {
      if (link.by !== null) session.warren.invitations.pin(link.by);
      const decide: Decide = async (_from, message, over) => {
        if (target instanceof PipeTarget && message.file.tree) {
          report.line("A folder cannot go to stdout.");
          return false;
        }
        if (target instanceof PipeTarget && !target.take(message.file.fid)) {
          report.line("Only one file goes to stdout.");
          return false;
        }
        // What is offered stands in the line before.
        return options.yes || report.confirm("Receive it?", signal, over);
      };
      const receiver = new Receiver({ session, storage, target, decide });
      await receiver.receiveOnce(new TaskFiles(task?.files, save));
    } finally {
      await session.close();
    }
    // Last, so that the same command after one that was killed ends as that one would have.
    data.endTask(key, profile);
  });
}

/** The receiver of a machine that runs by itself: takes everything from the people it trusts, and nothing from others. */
async function receiveAlways(context: CommandContext): Promise<void> {
  const { options, data, report, signal, operands } = context;
  const trusted = new TrustedPeople(data.path);
  const wanted = options.from ?? [];
  if (wanted.length === 0) throw new CommandError("Name whom to receive from: --from CONTACT.");
  for (const who of wanted) personCalled(who, trusted);
  const target = targetOf(context);
  if (target instanceof PipeTarget) throw new CommandError("--always goes with a folder.");
  const isTrusted = (id: ClientId) => wanted.some((who) => trusted.find(who).some((one) => one.id === id));
  const [address] = operands;
  const link = address === undefined ? null : readRoomLink(address, options.signalling);
  const server = link?.server ?? context.server();
  // Two folders are two inboxes, each with a link of its own.
  const key = ["always", server.home, link?.roomId ?? "", target.path];
  const release = data.holdCommand(key);
  if (release === null) throw new CommandError(`Another warren receives into ${target.path} already.`);
  const running = context.withProfile(key, async (profile, own) => {
    // Its room stays the same, also while another command holds the profile that it had.
    const task = own ?? data.tasks(key)[0] ?? null;
    const roomId = link?.roomId ?? task?.roomId ?? newRoomId();
    const password = link ? link.password : (task?.password ?? generatePassword());
    data.saveTask(key, { profile: profile.number, roomId, password, stays: true });
    const storage = await storageFor(target, profile, key);
    const room = { roomId, password, servers: link?.servers ?? null };
    const session = await context.openSession({ profile, server, room, fileStorage: storage });
    try {
      const { warren } = session;
      for (const who of wanted) for (const { id } of trusted.find(who)) warren.invitations.pin(id);
      const mayCome = (id: ClientId) => isTrusted(id) && warren.room.peer(id)?.proof?.verifiable === true;
      const receiver = new Receiver({ session, storage, target, decide: async (from) => mayCome(from) });
      warren.room.on("peer-ready", (id) => {
        if (mayCome(id)) return;
        report.event({ event: "stranger", id, name: session.nameOf(id) });
        warren.room.refuse(id);
      });
      await showLink(session, server, { resumed: task !== null });
      await receiver.receiveAlways();
    } finally {
      await session.close();
    }
  });
  await running.finally(release);
  if (!signal.aborted) throw new CommandError("The room was lost.", exitCodes.noPath);
}

export function targetOf({ options, streams }: CommandContext): Target {
  const dir = options.dir ?? defaultDir;
  if (dir === "-") return new PipeTarget(streams.stdout);
  const path = resolve(dir);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === false) throw new CommandError(`${dir} is no folder.`);
  if (stats === undefined) {
    try {
      mkdirSync(path, { recursive: true });
    } catch (error) {
      throw new CommandError(`The folder ${dir} cannot be made: ${systemCodeOf(error)}.`, exitCodes.disk);
    }
  }
  return new TargetFolder(path, { overwrites: options.overwrite === true });
}

/**
 * Where what is received is kept until it is whole: beside its target, so that it can be moved there. Each profile of each machine
 * has a folder of its own for each command, as it deletes what it does not know, and puts what is whole in the place of that command.
 */
export async function storageFor(
  target: Target,
  { folder }: Profile,
  command: readonly string[],
): Promise<DiskFileStorage> {
  // The names of machines and folders change.
  const { clientId } = await identityIn(folder);
  const owner = createHash("sha256")
    .update(JSON.stringify([clientId, ...command]))
    .digest("hex")
    .slice(0, 8);
  if (target instanceof PipeTarget)
    return new DiskFileStorage(join(folder, "pipes", owner), (fid, path, end) =>
      target.advance(fid, path, end),
    );
  return new DiskFileStorage(join(target.path, `${partsPrefix}${owner}`));
}
