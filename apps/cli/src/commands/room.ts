import { createInterface, type Interface } from "node:readline";
import { everyone, type FileMessage, generatePassword, newRoomId } from "@warren/core";
import { type ClientId, toWarrenError } from "@warren/protocol";
import { PathReopener, pickPaths } from "../files/picked-paths.ts";
import { PipeTarget } from "../files/pipe-target.ts";
import { itemText } from "../terminal/events.ts";
import { CommandError } from "../terminal/exit-code.ts";
import { printable } from "../terminal/format.ts";
import type { CommandContext } from "./context.ts";
import { HeardTexts } from "./heard-texts.ts";
import { fileMessagesOf, itemOf, offerOf } from "./offers.ts";
import { storageFor, targetOf } from "./receive.ts";
import { Receiver } from "./receiver.ts";
import { readRoomLink } from "./server-address.ts";
import type { Session } from "./session.ts";
import { showLink } from "./show-link.ts";

/** `warren room [LINK]` */
export async function room(context: CommandContext): Promise<void> {
  const { operands, options, report, streams } = context;
  const [address, ...rest] = operands;
  if (rest.length > 0) throw new CommandError("Name one link at most.");
  const link = address === undefined ? null : readRoomLink(address, options.signalling);
  const server = link?.server ?? context.server();
  const roomId = link?.roomId ?? newRoomId();
  const password = link ? link.password : generatePassword();
  const target = targetOf(context);
  if (target instanceof PipeTarget)
    throw new CommandError("A room needs a folder: stdout is for what people say.");
  await context.withProfile(undefined, async (profile) => {
    const storage = storageFor(target, profile);
    const session = await context.openSession({
      profile,
      server,
      room: { roomId, password, servers: link?.servers ?? null },
      fileStorage: storage,
      fileReopener: new PathReopener([]),
    });
    const lines = createInterface({
      input: streams.stdin,
      ...(streams.stdin.isTTY && !options.json && { output: streams.stderr }),
    });
    try {
      const talk = new Talk(session);
      const texts = new HeardTexts(session, "everything");
      const ask = (from: ClientId, message: FileMessage) => talk.ask(from, message);
      const receiver = new Receiver(session, storage, target, ask, texts);
      await session.join();
      report.event({ event: "joined", room: roomId });
      texts.recall();
      if (!link) await showLink(session, server, { resumed: false });
      const talking = talk.follow(lines);
      await session.until(() => {
        receiver.step(() => {});
        talk.noteSent();
        return talk.isOver ? true : undefined;
      });
      await talking;
    } finally {
      lines.close();
      await session.close();
    }
  });
}

type Line = (rest: string) => Promise<void> | void;

/** What a person types, and what it does. */
class Talk {
  readonly #session: Session;
  readonly #lines: Readonly<Record<string, Line>>;
  /** Whether the person has nothing more to say. */
  #hasEnded = false;
  #answer: ((isWanted: boolean) => void) | null = null;
  readonly #reported = new Set<string>();
  readonly #mine = new Set<string>();

  constructor(session: Session) {
    this.#session = session;
    this.#lines = {
      send: (path) => this.#send(path),
      accept: () => this.#answerWith(true),
      refuse: () => this.#answerWith(false),
      who: () => this.#who(),
      quit: () => this.#quit(),
    };
  }

  /** Whether the person left, and what they said has arrived at everybody who is still there. */
  get isOver(): boolean {
    if (!this.#hasEnded) return false;
    const { chat, room } = this.#session.warren;
    const messages = Object.values(chat.store.getState().conversations).flatMap(
      (each) => each?.messages ?? [],
    );
    const here = new Set(room.readyPeers());
    const isOnItsWay = messages.some(
      (message) =>
        this.#mine.has(message.key) &&
        message.type === "text" &&
        Object.entries(message.deliveries).some(
          ([peer, { status }]) => status === "sending" && here.has(peer),
        ),
    );
    return !isOnItsWay;
  }

  /** Does what each line says, one after another. */
  async follow(lines: Interface): Promise<void> {
    for await (const line of lines) {
      if (this.#session.signal.aborted) return;
      await this.#take(line).catch((error: unknown) =>
        this.#session.report.line(`Not sent: ${toWarrenError(error).message}`),
      );
    }
    this.#quit();
  }

  /** Resolves once the person has typed /accept or /refuse. */
  ask(from: ClientId, message: FileMessage): Promise<boolean> {
    const { report } = this.#session;
    report.line(
      `/accept or /refuse ${itemText(itemOf(message))} from ${printable(this.#session.nameOf(from))}?`,
    );
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  /** Reports what others have received from us. */
  noteSent(): void {
    const { warren, report } = this.#session;
    for (const message of fileMessagesOf(warren))
      for (const peer of Object.keys(message.offers)) {
        const mark = `${message.key} ${peer}`;
        if (!this.#mine.has(message.key) || this.#reported.has(mark)) continue;
        const { now } = offerOf(warren, message, peer);
        const name = this.#session.nameOf(peer);
        if (now?.state === "complete") report.event({ event: "sent", to: name, ...itemOf(message) });
        else if (now?.state === "declined" || now?.state === "givenUp")
          report.event({ event: "refused", by: "there", peer: name, ...itemOf(message) });
        else continue;
        this.#reported.add(mark);
      }
  }

  async #take(line: string): Promise<void> {
    const [, name, rest = ""] = /^\/([a-z]+)(?:\s+(.*))?$/.exec(line) ?? [];
    if (name === undefined) {
      if (line.trim() !== "") await this.#noting(() => this.#session.warren.chat.sendText(everyone, line));
      return;
    }
    const action = Object.hasOwn(this.#lines, name) ? this.#lines[name] : undefined;
    if (action) await action(rest.trim());
    else
      this.#session.report.line(
        `There is no /${name}: ${Object.keys(this.#lines)
          .map((one) => `/${one}`)
          .join(", ")}`,
      );
  }

  async #send(path: string): Promise<void> {
    const { warren, report } = this.#session;
    const picked = await pickPaths([path]).catch(() => null);
    if (picked === null) return report.line(`There is no ${path}.`);
    const { content, leftOut, ...known } = picked;
    for (const left of leftOut) report.event({ event: "left-out", ...left });
    if (content === null) return;
    const options = { ...known, overLimit: true };
    await this.#noting(() =>
      content instanceof File
        ? warren.chat.sendFile(everyone, content, options)
        : warren.chat.sendTree(everyone, content, options),
    );
  }

  /** Remembers the messages that an action makes as ours of this run. */
  async #noting(action: () => Promise<void>): Promise<void> {
    const { warren } = this.#session;
    const ownId = warren.profile.get().clientId;
    await action();
    const messages = warren.chat.store.getState().conversations[everyone]?.messages ?? [];
    const last = messages.findLast(({ client }) => client === ownId);
    if (last) this.#mine.add(last.key);
  }

  #answerWith(isWanted: boolean): void {
    if (this.#answer === null) this.#session.report.line("Nothing was offered.");
    this.#answer?.(isWanted);
    this.#answer = null;
  }

  #who(): void {
    const names = this.#session.readyPeers().map(({ clientId }) => printable(this.#session.nameOf(clientId)));
    this.#session.report.line(names.length === 0 ? "Nobody else is here." : names.join(", "));
  }

  #quit(): void {
    this.#hasEnded = true;
    this.#session.poke();
  }
}
