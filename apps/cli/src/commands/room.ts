import { createInterface, type Interface } from "node:readline";
import {
  type ChatMessage,
  type ConversationId,
  everyone,
  generatePassword,
  newRoomId,
  type TextMessage,
} from "@warren/core";
import { emojiSchema, v } from "@warren/protocol";
import { PathReopener, pickPaths } from "../files/picked-paths.ts";
import { PipeTarget } from "../files/pipe-target.ts";
import { errorEventOf } from "../terminal/error-event.ts";
import { itemText, quotedWords } from "../terminal/events.ts";
import { CommandError } from "../terminal/exit-code.ts";
import { printable } from "../terminal/format.ts";
import { type RoomCommandName, roomCommandTexts } from "./commands.ts";
import type { CommandContext } from "./context.ts";
import { HeardTexts } from "./heard-texts.ts";
import { roomCommandsHelp } from "./help.ts";
import { fileMessagesOf, itemOf, offerOf } from "./offers.ts";
import { storageFor, targetOf } from "./receive.ts";
import { type Decide, Receiver } from "./receiver.ts";
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
  await context.withProfile(null, async (profile) => {
    const storage = await storageFor(target, profile, ["room", server.home, roomId]);
    const session = await context.openSession({
      profile,
      server,
      room: { roomId, password, servers: link?.servers ?? null },
      fileStorage: storage,
      fileReopener: new PathReopener([]),
    });
    let lines: Interface | undefined;
    try {
      const texts = new HeardTexts(session, "everything");
      const talk = new Talk(session, texts);
      const decide: Decide = (_from, _message, over) => talk.ask(over);
      const receiver = new Receiver({ session, storage, target, decide, texts });
      await session.join();
      report.event({ event: "joined", room: roomId });
      texts.recall();
      if (!link) await showLink(session, server, { resumed: false });
      // Not before: an interface drops lines, and its end, that come while nobody iterates over it.
      const isTyped = streams.stdin.isTTY && !options.json;
      lines = createInterface({ input: streams.stdin, ...(isTyped && { output: streams.stderr }) });
      if (isTyped) {
        report.line("Each line goes to everybody in the room. /help lists the commands, /quit leaves.");
        report.keepBelow(lines);
      }
      const talking = talk.follow(lines);
      await session.until(() => {
        receiver.stepAlways();
        talk.noteSent();
        return talk.isOver ? true : undefined;
      });
      await talking;
    } finally {
      lines?.close();
      await session.close();
    }
  });
}

/** Some clients can be sent no changes, or do not answer: what they have not got is sent at a later visit. */
const changesLimitMs = 5_000;

type Line = (rest: string) => Promise<void> | void;

/** What a person types, and what it does. */
class Talk {
  readonly #session: Session;
  readonly #texts: HeardTexts;
  readonly #lines: Readonly<Record<RoomCommandName, Line>>;
  /** When the person had nothing more to say; null before. */
  #endedAtMs: number | null = null;
  #answer: ((isWanted: boolean) => void) | null = null;
  readonly #reported = new Set<string>();
  readonly #mine = new Set<string>();

  constructor(session: Session, texts: HeardTexts) {
    this.#session = session;
    this.#texts = texts;
    this.#lines = {
      reply: (rest) => this.#reply(rest),
      react: (rest) => this.#react(rest),
      edit: (rest) => this.#edit(rest),
      delete: (rest) => this.#delete(rest),
      send: (path) => this.#send(path),
      accept: () => this.#answerWith(true),
      refuse: () => this.#answerWith(false),
      who: () => this.#who(),
      help: () => this.#session.report.line(roomCommandsHelp()),
      quit: () => this.#quit(),
    };
  }

  /** Whether the person left, and what they said has arrived at everybody who is still there. */
  get isOver(): boolean {
    if (this.#endedAtMs === null) return false;
    const waitsForChanges = performance.now() - this.#endedAtMs < changesLimitMs;
    const here = new Set(this.#session.warren.room.readyPeers());
    const isOnItsWay = (message: ChatMessage) =>
      this.#mine.has(message.key) &&
      message.type === "text" &&
      Object.entries(message.deliveries).some(([peer, { status }]) => status === "sending" && here.has(peer));
    const isChangeOnItsWay = ({ unsentChanges = {} }: ChatMessage) =>
      Object.keys(unsentChanges).some((peer) => here.has(peer));
    return !this.#messages().some(
      (message) => isOnItsWay(message) || (waitsForChanges && isChangeOnItsWay(message)),
    );
  }

  /** Does what each line says, one after another. */
  async follow(lines: Interface): Promise<void> {
    const { report, signal } = this.#session;
    report.prompt();
    for await (const line of lines) {
      if (signal.aborted) return;
      await this.#take(line).catch((error: unknown) =>
        report.line(`Not sent. ${errorEventOf(error).message}`),
      );
      // At a terminal, and in a pipe that stays open, no end of the lines follows.
      if (this.#endedAtMs !== null) return;
      report.prompt();
    }
    this.#quit();
  }

  /** Resolves once the person has typed /accept or /refuse, or the question is over. */
  ask(over: AbortSignal): Promise<boolean> {
    // What is offered stands in the line before.
    this.#session.report.line("/accept or /refuse?");
    return new Promise((resolve) => {
      this.#answer = resolve;
      over.addEventListener("abort", () => {
        this.#answer = null;
        resolve(false);
      });
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
      if (line.trim() !== "") await this.#say(everyone, line);
      return;
    }
    if (Object.hasOwn(roomCommandTexts, name)) await this.#lines[name as RoomCommandName](rest.trim());
    else this.#session.report.line(`There is no /${name}. /help lists the commands.`);
  }

  async #say(conversation: ConversationId, text: string, quote?: TextMessage["key"]): Promise<void> {
    await this.#noting(conversation, () => this.#session.warren.chat.sendText(conversation, text, quote));
  }

  async #reply(line: string): Promise<void> {
    const { message, rest } = this.#named(line, "theirs");
    if (message === null) return;
    if (rest === "") return this.#session.report.line("Write the answer after it: /reply At five");
    await this.#say(message.conversation, rest, message.key);
    this.#session.report.line(`Answered ${this.#nameWith(message)}.`);
  }

  async #react(line: string): Promise<void> {
    const { message, rest } = this.#named(line, "theirs");
    if (message === null) return;
    if (!v.is(emojiSchema, rest)) return this.#session.report.line("Name one emoji: /react 👍");
    await this.#session.warren.chat.react(message.key, rest);
    const { chat, profile } = this.#session.warren;
    const now = (await chat.lookUp(message.key))?.reactions?.[profile.get().clientId]?.emoji ?? [];
    const what = now.includes(rest) ? "Reacted to" : "Took back a reaction to";
    this.#session.report.line(`${what} ${this.#nameWith(message)}.`);
  }

  async #edit(line: string): Promise<void> {
    const { message, rest } = this.#named(line, "ours");
    if (message === null) return;
    if (rest === "") return this.#session.report.line("Write the new text after it: /edit At six");
    await this.#session.warren.chat.editText(message.key, rest);
    this.#session.report.line(`Edited: ${quotedWords(message.data)}`);
  }

  async #delete(line: string): Promise<void> {
    const { message, rest } = this.#named(line, "ours");
    if (message === null) return;
    if (rest !== "") return this.#session.report.line("Name a text by its number: /delete #3");
    await this.#session.warren.chat.deleteMessage(message.key);
    this.#session.report.line(`Deleted: ${quotedWords(message.data)}`);
  }

  /** The text that a line names by its number, or else the last one; null after saying that there is none. */
  #named(
    line: string,
    whose: "ours" | "theirs",
  ): { readonly message: TextMessage | null; readonly rest: string } {
    const ownId = this.#session.warren.profile.get().clientId;
    const texts = this.#messages().filter(
      (message): message is TextMessage => message.type === "text" && !message.deleted && !message.clipboard,
    );
    const [, number, rest = ""] = /^#(\d+)(?:\s+(.*))?$/.exec(line) ?? [];
    const named = number === undefined ? null : this.#texts.keyOf(Number(number));
    const isMeant = ({ key, client }: TextMessage) =>
      number === undefined ? (client === ownId) === (whose === "ours") : key === named;
    const message = texts.filter(isMeant).reduce<TextMessage | null>(later, null);
    const isForeign = message !== null && whose === "ours" && message.client !== ownId;
    if (message === null)
      this.#session.report.line(
        number === undefined ? "There is no text yet." : `There is no text #${number}.`,
      );
    else if (isForeign) this.#session.report.line(`#${number} is not yours.`);
    return { message: isForeign ? null : message, rest: number === undefined ? line : rest };
  }

  #nameWith({ client, data }: TextMessage): string {
    return `${printable(this.#session.nameOf(client))} (${quotedWords(data)})`;
  }

  #messages(): ChatMessage[] {
    const { conversations } = this.#session.warren.chat.store.getState();
    return Object.values(conversations).flatMap((each) => each?.messages ?? []);
  }

  async #send(path: string): Promise<void> {
    const { warren, report } = this.#session;
    if (path === "") return report.line("Name a file or folder: /send photos");
    const picked = await pickPaths([path]).catch(() => null);
    if (picked === null) return report.line(`There is no ${path}.`);
    const { content, leftOut, ...known } = picked;
    for (const left of leftOut) report.event({ event: "left-out", ...left });
    if (content === null) return;
    const options = { ...known, overLimit: true };
    const offered = await this.#noting(everyone, () =>
      content instanceof File
        ? warren.chat.sendFile(everyone, content, options)
        : warren.chat.sendTree(everyone, content, options),
    );
    if (offered?.type === "file") report.line(`Offered to everybody: ${itemText(itemOf(offered))}`);
  }

  /** Remembers the message that an action makes as ours of this run. */
  async #noting(conversation: ConversationId, action: () => Promise<void>): Promise<ChatMessage | undefined> {
    const { warren } = this.#session;
    const ownId = warren.profile.get().clientId;
    await action();
    const messages = warren.chat.store.getState().conversations[conversation]?.messages ?? [];
    const last = messages.findLast(({ client }) => client === ownId);
    if (last) this.#mine.add(last.key);
    if (last && Object.keys(last.deliveries).length === 0)
      this.#session.report.line("Nobody is here. It waits for others.");
    return last;
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
    this.#endedAtMs ??= performance.now();
    this.#session.poke();
  }
}

function later(one: TextMessage | null, other: TextMessage): TextMessage {
  return one === null || other.sortedAt >= one.sortedAt ? other : one;
}
