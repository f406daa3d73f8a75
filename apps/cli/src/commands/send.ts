import { createWriteStream, lstatSync, mkdirSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import {
  type ConversationId,
  type FileMessage,
  generatePassword,
  isOpen,
  isSourceError,
  newRoomId,
  type Peer,
  type PickedTree,
  peersOf,
} from "@warren/core";
import { type ClientId, contentSizeOf, type FileId, WarrenError } from "@warren/protocol";
import { fileAt, PathReopener, pickPaths } from "../files/picked-paths.ts";
import { errorEventOf } from "../terminal/error-event.ts";
import { CommandError, exitCodes, interrupted } from "../terminal/exit-code.ts";
import type { CommandContext } from "./context.ts";
import { fileMessagesOf, itemOf, offerOf } from "./offers.ts";
import { readRoomLink } from "./server-address.ts";
import type { Session } from "./session.ts";
import { showLink } from "./show-link.ts";
import { awayMinutes, Waiting, waitedFor } from "./waiting.ts";

/** A password that nobody guesses, and a QR code still holds. */
const passwordLength = 16;
/** How long others may take to be met before it is decided whom the file is for. */
const companyMs = 2_000;

/** `warren send PATH… | -` */
export async function send(context: CommandContext): Promise<void> {
  const { options, data, report, operands } = context;
  const paths = operands.filter((path) => path !== "-");
  const isPipe = operands.includes("-");
  if (operands.length === 0) throw new CommandError("Name what to send, or - for what comes through a pipe.");
  if (isPipe && operands.length > 1) throw new CommandError("- cannot be sent together with files.");
  if (options.filename !== undefined && !isPipe) throw new CommandError("--filename goes with -.");
  if (options.filename !== undefined && basename(options.filename) !== options.filename)
    throw new CommandError(`"${options.filename}" is no name of a file.`);
  if (options.to !== undefined && options.keep)
    throw new CommandError("--keep sends to everybody, --to to one person: leave out one of them.");
  const link = options.room === undefined ? null : readRoomLink(options.room, options.signalling);
  const server = link?.server ?? context.server();
  const key =
    isPipe || options.keep
      ? null
      : ["send", server.home, link?.roomId ?? "", ...paths.map((path) => resolve(path))];
  await context.withProfile(key, async (profile, task) => {
    const roomId = link?.roomId ?? task?.roomId ?? newRoomId();
    const password = link ? link.password : (task?.password ?? generatePassword(passwordLength));
    const spool = isPipe ? join(profile.folder, "pipe", crypto.randomUUID()) : null;
    try {
      const source = spool === null ? await fromPaths(paths, context) : await fromPipe(spool, context);
      const note = (message?: string) => {
        if (key === null) return;
        data.saveTask(key, { profile: profile.number, roomId, password, ...(message && { message }) });
      };
      note(task?.message);
      const session = await context.openSession({
        profile,
        server,
        room: { roomId, password, servers: link?.servers ?? null },
        fileReopener: source.reopener,
      });
      try {
        if (task?.message === undefined || !isSent(session, task.message)) {
          await session.join();
          if (link) report.event({ event: "joined", room: roomId });
          else await showLink(session, server, { resumed: task !== null });
          if (options.keep) await sendToAll(session, source);
          else await sendToOne(session, source, options.to, task?.message, note);
        }
      } finally {
        await session.close();
      }
      // Last, so that the same command after one that was killed ends as that one would have.
      if (key !== null) data.endTask(key, profile);
    } catch (error) {
      if (key !== null && isRefused(error)) data.endTask(key, profile);
      if (isPipe && error instanceof CommandError && error.exitCode === exitCodes.interrupted)
        throw new CommandError("Stopped. What came through the pipe has to come again.", error.exitCode);
      throw error;
    } finally {
      if (spool !== null) rmSync(spool, { force: true });
    }
  });
}

/** Whether nothing of it can go on, so that the same command begins anew, with another link. */
function isRefused(error: unknown): boolean {
  return error instanceof CommandError && error.exitCode === exitCodes.refused;
}

interface Source {
  readonly content: File | PickedTree;
  /** Those of a single file. */
  readonly permissions?: number;
  readonly reopener: PathReopener;
}

async function fromPaths(paths: readonly string[], { report }: CommandContext): Promise<Source> {
  for (const path of paths)
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined)
      throw new CommandError(`There is no ${path}.`);
  const { content, leftOut, ...known } = await pickPaths(paths);
  for (const left of leftOut) report.event({ event: "left-out", ...left });
  if (content === null) throw new CommandError("Nothing is left to send.");
  return { content, ...known, reopener: new PathReopener(paths) };
}

/** The size of a file is part of its offer, so what comes through a pipe is stored first. */
async function fromPipe(
  spool: string,
  { options, streams, signal, report }: CommandContext,
): Promise<Source> {
  rmSync(dirname(spool), { recursive: true, force: true }); // of a run that was killed
  mkdirSync(dirname(spool), { recursive: true, mode: 0o700 });
  const name = options.filename ?? "pipe";
  if (streams.stdin.isTTY) report.line("Type what to send, and Ctrl-D on a line of its own.");
  await pipeline(streams.stdin, createWriteStream(spool, { mode: 0o600 }), { signal }).catch((error) => {
    throw signal.aborted ? interrupted() : error;
  });
  return { content: await fileAt(spool, lstatSync(spool), name), reopener: new PathReopener([spool], name) };
}

/** Whether a run that was killed learned that its receiver has everything, which is then reported. */
function isSent(session: Session, offered: string): boolean {
  const message = fileMessagesOf(session.warren).find(({ key }) => key === offered);
  for (const [peer, { state }] of Object.entries(message?.offers ?? {})) {
    if (message === undefined || state !== "complete") continue;
    session.report.event({ event: "sent", to: session.nameOf(peer), ...itemOf(message) });
    return true;
  }
  return false;
}

/** @param offered the message of an earlier run of this command that offers the content */
export async function sendToOne(
  session: Session,
  source: Source,
  to: string | undefined,
  offered: string | undefined,
  note: (message: string) => void,
): Promise<void> {
  const peer = await receiverOf(session, to, whileMissing(session, to, offered));
  const open = fileMessagesOf(session.warren).filter(
    ({ client, offers }) =>
      client === session.warren.profile.get().clientId && isOpen(offers[peer.clientId]?.state),
  );
  // A run that was killed as soon as it had offered did not note its message.
  const earlier = open.find(({ key }) => key === offered) ?? open.find((message) => isOf(message, source));
  const key = earlier?.key ?? (await offer(session, peer.clientId, source, null));
  note(key);
  await finish(session, key, peer.clientId);
}

/** Says for whom it waits. Who took what an earlier run offered may have ended with everything, and does not come back. */
function whileMissing(session: Session, to: string | undefined, offered: string | undefined): () => void {
  const waiting = new Waiting(session.report);
  const message = fileMessagesOf(session.warren).find(({ key }) => key === offered);
  const taker = Object.entries(message?.offers ?? {}).find(
    ([, { state }]) => isOpen(state) && state !== "offered",
  );
  if (message === undefined || taker === undefined)
    return () => waiting.note({ for: "somebody", name: to ?? null });
  const from = session.nameOf(taker[0]);
  return () => waiting.note({ for: "rest", from, minutes: awayMinutes, ...itemOf(message) });
}

/** Whether a message offers this content, as far as can be told without reading it. */
function isOf({ file }: FileMessage, { content }: Source): boolean {
  if (!(content instanceof File)) {
    const sizeBytes = content.files.reduce((sum, { file: { size } }) => sum + size, 0);
    return file.tree?.files === content.files.length && contentSizeOf(file) === sizeBytes;
  }
  const { name, size, lastModified } = content;
  const isSameTime = file.lastModified === Math.trunc(lastModified);
  return !file.tree && file.fileName === name && file.fileSize === size && isSameTime;
}

/** Sends to everybody who comes, until the program is stopped. */
async function sendToAll(session: Session, source: Source): Promise<void> {
  const served = new Set<ClientId>();
  let fid: FileId | null = null;
  for (;;) {
    const peer = await session
      .until(() => session.readyPeers().find(({ clientId }) => !served.has(clientId)))
      .catch((error: unknown) => {
        if (session.signal.aborted) return null; // that is how this ends
        throw error;
      });
    if (peer === null) return;
    served.add(peer.clientId);
    const key = await offer(session, peer.clientId, source, fid);
    fid ??= messageOf(session, key).file.fid;
    void finish(session, key, peer.clientId).catch((error: unknown) => {
      if (!session.signal.aborted) session.report.event(errorEventOf(error));
    });
  }
}

/**
 * Whom to send to: the one who is there or comes, or the one that is named.
 * @param missed called again and again while nobody of them is there
 */
export async function receiverOf(
  session: Pick<Session, "until" | "readyPeers" | "nameOf" | "warren">,
  to: string | undefined,
  missed: () => void = () => {},
): Promise<Peer> {
  const isMeant = ({ profile, clientId }: Peer) =>
    to === undefined || profile?.name === to || clientId.startsWith(to.toLowerCase());
  const { store } = session.warren.room;
  for (;;) {
    await session.until(
      () => {
        const found = session.readyPeers().find(isMeant);
        if (found === undefined) missed();
        return found;
      },
      { reach: () => true },
    );
    const deadlineMs = performance.now() + companyMs;
    await session.until(() => {
      const isAllMet = Object.values(peersOf(store.getState())).every(({ ready }) => ready);
      return isAllMet || performance.now() >= deadlineMs ? true : undefined;
    });
    const [only, ...others] = session.readyPeers().filter(isMeant);
    if (only === undefined) continue; // left meanwhile
    if (others.length === 0) return only;
    const names = session
      .readyPeers()
      .map(({ clientId }) => `${session.nameOf(clientId)} (${clientId.slice(0, 8)})`);
    throw new CommandError(`Several people are here. Name one with --to: ${names.join(", ")}`);
  }
}

/** Offers the content to a peer. @param fid the file, if it was offered to others before. @returns the message's key */
async function offer(
  session: Session,
  peer: ConversationId,
  source: Source,
  fid: FileId | null,
): Promise<FileMessage["key"]> {
  const { chat, profile } = session.warren;
  const before = new Set(fileMessagesOf(session.warren).map(({ key }) => key));
  const { content, permissions } = source;
  const options = { overLimit: true, ...(permissions !== undefined && { permissions }) };
  if (fid !== null) await chat.forwardFile(peer, fid, options);
  else if (content instanceof File) await chat.sendFile(peer, content, options);
  else await chat.sendTree(peer, content, options);
  const made = fileMessagesOf(session.warren).find(
    ({ key, client }) => client === profile.get().clientId && !before.has(key),
  );
  if (!made) throw new WarrenError("unknown");
  session.report.event({ event: "offered", to: session.nameOf(peer), ...itemOf(made) });
  return made.key;
}

function messageOf(session: Session, key: FileMessage["key"]): FileMessage {
  const message = fileMessagesOf(session.warren).find((one) => one.key === key);
  if (!message) throw new WarrenError("unknown");
  return message;
}

/** Resolves once the receiver has verified what was offered. @throws CommandError if it never will */
async function finish(session: Session, key: FileMessage["key"], peer: ClientId): Promise<void> {
  const { warren, report } = session;
  const waiting = new Waiting(report);
  // Somebody who refuses us may have done so before the offer left.
  const reach = () => messageOf(session, key).deliveries[peer]?.status === "sending";
  const end = await session.until(
    () => {
      const message = messageOf(session, key);
      const item = itemOf(message);
      const { now, transfer } = offerOf(warren, message, peer);
      if (transfer?.now.state === "running") report.progress(item, transfer);
      if (warren.room.peer(peer)?.error?.code === "session-ended")
        throw new CommandError(`${session.nameOf(peer)} refuses us.`, exitCodes.refused);
      if (now?.state === "complete") {
        report.event({ event: "sent", to: session.nameOf(peer), ...item });
        return "sent";
      }
      if (now?.state === "declined" || now?.state === "givenUp") {
        report.event({ event: "refused", by: "there", peer: session.nameOf(peer), ...item });
        throw new CommandError("Nothing was sent.", exitCodes.refused);
      }
      const isLost = now?.state === "failed" && isSourceError(now.error.code);
      if (isLost || now?.state === "needsSource") return "lost";
      if (now?.state === "failed") throw new WarrenError(now.error.code, now.error.values);
      const isHere = warren.room.isReady(peer);
      const name = session.nameOf(peer);
      waiting.note(waitedFor({ side: "sender", now, transfer, isHere, name, item }));
      return undefined;
    },
    { reach },
  );
  if (end === "sent") return;
  // It would wait for what nobody can send any more.
  await warren.chat.cancelFile(key);
  throw new CommandError("What was being sent has changed or is gone.", exitCodes.disk);
}
