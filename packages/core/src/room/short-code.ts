import { randomBytes } from "@noble/hashes/utils.js";
import {
  type ClientId,
  decodeFrame,
  type ErrorDescription,
  invitationSchema,
  limits,
  type RoomMember,
  type RoomTag,
  type SealedSignal,
  type SealedSignalOf,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import { encodeBase64url, utf8 } from "../handshake/crypto/encoding.ts";
import { passwordRelatedString } from "../handshake/crypto/password.ts";
import type { EstablishedKeys } from "../handshake/established-keys.ts";
import type { HandshakeDeps } from "../handshake/handshake.ts";
import {
  generateIdentityKey,
  type Identity,
  identityOf,
  unverifiableIdentity,
} from "../handshake/identity.ts";
import { createInitiator } from "../handshake/initiator.ts";
import { createResponder } from "../handshake/responder.ts";
import type { Clock } from "../ports/clock.ts";
import type { KeyValueStorage } from "../ports/key-value-storage.ts";
import type { SignallingBackend, SignallingClient, SignalSender } from "../ports/signalling.ts";
import { randomBelow } from "../shared/ids.ts";
import { MemoryKeyValueStorage } from "../shared/storage/memory-key-value-storage.ts";
import { createStore, type ReadableStore, type WritableStore } from "../shared/store.ts";
import { NewcomerQueue } from "../signalling/newcomer-queue.ts";
import { mailboxTagOf } from "./room-tag.ts";
import { type CodeWords, codeWords, completionsOf, readCodeWords } from "./short-code-words.ts";

const lifetimeMs = 600_000;
/** How long either side waits for the other's next message. */
const answerMs = 10_000;
/**
 * How many mailboxes to try: with 100 codes shown on a server, eight of 1,024 are all taken with a probability of
 * 10^-8.
 */
const mailboxesTried = 8;
const kind = "invitation";

export interface ShortCodesDeps {
  readonly clock: Clock;
  /** Connects to the signalling server with a separate identity; the seat is stored only for this visit. */
  readonly connect: (identity: Identity, seats: KeyValueStorage) => SignallingBackend;
}

/** The state of a shown code. All but the first two are final. */
export type ShownCodeState =
  | { readonly status: "opening" }
  | { readonly status: "shown"; readonly words: CodeWords }
  /** A device with the right words received the link. */
  | { readonly status: "used" }
  /** A device tried the code with wrong words or did not finish. There is no second try. */
  | { readonly status: "wrong" }
  | { readonly status: "expired" }
  | { readonly status: "failed"; readonly error: ErrorDescription };

/**
 * Codes of three words that stand for a link (docs/protocol.md#short-codes). The first word names the mailbox, a room
 * of the server in which the two devices meet. The other two are the password of one handshake, which allows each side
 * one guess, and never leave the device.
 */
export class ShortCodes {
  readonly #deps: ShortCodesDeps;
  /** Codes in use or already tested: testing one twice would give the other side a second guess. */
  readonly #tried = new Set<string>();

  constructor(deps: ShortCodesDeps) {
    this.#deps = deps;
  }

  /** The words of a typed code, or its unknown word; null for other texts. */
  read(text: string): ReturnType<typeof readCodeWords> {
    return readCodeWords(text);
  }

  /** Completions of a partly typed code by one word. */
  completions(text: string): readonly string[] {
    return completionsOf(text);
  }

  /** Shows a new code for a link, valid for ten minutes or until it is used or closed. */
  show(link: string): ShownCode {
    return new ShownCode(link, this.#deps);
  }

  /**
   * The link of a code; the device that shows it sends the link once.
   * @throws WarrenError `code-not-found` if no device shows the code or answers, or it was tried here before; `code-wrong`
   * for wrong words; `connection-closed` when cancelled; or the error of the server.
   */
  async redeem(words: CodeWords, calledOff?: AbortSignal): Promise<string> {
    const name = words.join(" ");
    if (this.#tried.has(name)) throw new WarrenError("code-not-found");
    this.#tried.add(name);
    const guess: Guess = { isTested: false };
    try {
      const mailbox = await enterMailbox(words, this.#deps, calledOff);
      try {
        // The device that shows the code joined first.
        const [shower] = mailbox.members.sort((one, other) => one.order - other.order);
        if (shower === undefined) throw new WarrenError("code-not-found");
        const handshakeWith = await mailbox.hashWords();
        const options = handshakeWith(shower.clientId);
        return await receiveLink(mailbox, options, guess, this.#deps.clock, calledOff);
      } finally {
        mailbox.client.destroy();
      }
    } catch (thrown) {
      throw isTaken(thrown) ? new WarrenError("code-not-found") : toWarrenError(thrown);
    } finally {
      if (!guess.isTested) this.#tried.delete(name);
    }
  }
}

/** A shown code: waits in its mailbox for one device. */
export class ShownCode {
  readonly store: ReadableStore<ShownCodeState>;
  readonly #store: WritableStore<ShownCodeState> = createStore<ShownCodeState>({ status: "opening" });
  readonly #link: string;
  readonly #clock: Clock;
  readonly #ended = new AbortController();
  readonly #expiresAt: number;
  /** The run in which message 3 was sent. A guess can be tested on that message, so it goes to one device, once. */
  #testedRun: string | null = null;

  constructor(link: string, deps: ShortCodesDeps) {
    this.store = this.#store;
    this.#link = link;
    this.#clock = deps.clock;
    this.#expiresAt = deps.clock.elapsedMs() + lifetimeMs;
    const cancel = deps.clock.after(lifetimeMs, () => this.#end({ status: "expired" }));
    this.#ended.signal.addEventListener("abort", cancel);
    this.#open(deps).catch((thrown: unknown) =>
      this.#end({ status: "failed", error: toWarrenError(thrown, "signalling-unreachable").describe() }),
    );
  }

  /** How long the code remains valid, in ms. */
  remainingMs(): number {
    return Math.max(0, this.#expiresAt - this.#clock.elapsedMs());
  }

  /** Withdraws the code. */
  close(): void {
    this.#ended.abort();
  }

  async #open(deps: ShortCodesDeps): Promise<void> {
    const { signal } = this.#ended;
    for (let tried = 0; tried < mailboxesTried; tried++) {
      const words: CodeWords = [randomWord(), randomWord(), randomWord()];
      const mailbox = await enterMailbox(words, deps, signal).catch((thrown: unknown) => {
        if (isTaken(thrown)) return null;
        throw thrown;
      });
      if (mailbox === null) continue;
      const { client, members } = mailbox;
      if (signal.aborted || members.length > 0) {
        client.destroy();
        if (signal.aborted) return;
        continue;
      }
      signal.addEventListener("abort", () => client.destroy());
      client.listenForStatus((status) => {
        if (status.status !== "closed") return;
        // If the room was locked or filled while we were disconnected, asking for a password would be pointless.
        const error = isTaken(status.error) ? new WarrenError("signalling-unreachable") : status.error;
        this.#end({ status: "failed", error: error.describe() });
      });
      const handshakeWith = await mailbox.hashWords();
      if (signal.aborted) return;
      const newcomers = new NewcomerQueue<ClientId>(deps.clock, (clientId) =>
        this.#greet(mailbox, handshakeWith(clientId)),
      );
      signal.addEventListener("abort", () => newcomers.clear());
      client.listenForJoin(({ clientId }) => newcomers.add(clientId, clientId));
      client.listenForLeave((clientId) => {
        newcomers.delete(clientId);
        mailbox.closeSenderTo(clientId);
      });
      this.#store.setState({ status: "shown", words }, true);
      return;
    }
    throw new WarrenError("rate-limited");
  }

  /** Runs the handshake with a device that joined the mailbox, as side A, which alone decides when a guess is tested. */
  #greet({ client, senderTo }: Mailbox, options: HandshakeDeps): void {
    if (this.#testedRun !== null) return;
    const { peerId: clientId } = options;
    const initiator = createInitiator(options);
    const run = encodeBase64url(randomBytes(16));
    const sender = senderTo(clientId);
    const isTested = () => this.#testedRun === run;
    const wrong = () => this.#end({ status: "wrong" });

    const take = async (frame: SealedSignal): Promise<void> => {
      if (frame.run !== run || this.#ended.signal.aborted) return;
      if (frame.type === "hs2") {
        const { message } = await initiator.onMessage2(frame);
        if (this.#testedRun !== null || this.#ended.signal.aborted) return;
        this.#testedRun = run;
        this.#ended.signal.addEventListener("abort", this.#clock.after(answerMs, wrong));
        client.listenForLeave((left) => left === clientId && wrong());
        sender.sendSignal({ ...message, run });
      } else if (frame.type === "hs4" && isTested()) {
        const { sealer } = await initiator.onMessage4(frame);
        const { seq, box } = await sealer.seal(kind, utf8(JSON.stringify({ link: this.#link })));
        sender.sendSignal({ type: "box", run, seq, kind, box });
        this.#end({ status: "used" });
      }
    };
    sender.listenForSignal((frame) => {
      // Before a test, an invalid message is no guess.
      take(frame).catch(() => isTested() && wrong());
    });
    sender.sendSignal({ ...initiator.start(), run });
  }

  #end(state: ShownCodeState): void {
    if (this.#ended.signal.aborted) return;
    this.#store.setState(state, true);
    this.#ended.abort();
  }
}

/** Our place in a mailbox. */
interface Mailbox {
  readonly client: SignallingClient;
  /** The other members when we joined. */
  readonly members: RoomMember[];
  /** Hashes the secret words, which is slow. Gives the options of a run with a member. */
  readonly hashWords: () => Promise<(peerId: ClientId) => HandshakeDeps>;
  /** The sender to a member; replaces the earlier one. */
  readonly senderTo: (peerId: ClientId) => SignalSender;
  readonly closeSenderTo: (peerId: ClientId) => void;
}

async function enterMailbox(
  [mailbox, ...secret]: CodeWords,
  { connect }: ShortCodesDeps,
  calledOff: AbortSignal | undefined,
): Promise<Mailbox> {
  const roomTag: RoomTag = mailboxTagOf(mailbox);
  const identity = await newIdentity();
  const client = await connect(identity, new MemoryKeyValueStorage()).createClient({
    roomTag,
    clientId: identity.clientId,
    // No proof on entry: otherwise a device that joins to show a code would count as a guess.
    locked: false,
    prove: async () => {},
    greet: async () => {},
    ...(calledOff && { calledOff }),
  });
  const members: RoomMember[] = [];
  client.listenForJoin((member) => members.push(member))();
  // No connection follows, so no certificate is committed to.
  const fingerprint = randomBytes(32);
  const senders = new Map<ClientId, SignalSender>();
  return {
    client,
    members,
    hashWords: async () => {
      const prs = await passwordRelatedString(secret.join(" "), roomTag, crypto.subtle);
      return (peerId) => ({ identity, peerId, roomTag, prs, fingerprint });
    },
    senderTo: (peerId) => {
      senders.get(peerId)?.close();
      const sender = client.createSender(peerId);
      senders.set(peerId, sender);
      return sender;
    },
    closeSenderTo: (peerId) => {
      senders.get(peerId)?.close();
      senders.delete(peerId);
    },
  };
}

/** Whether the error means that the mailbox is locked or full, which any client can cause. */
function isTaken(thrown: unknown): boolean {
  return ["password-required", "room-full"].includes(toWarrenError(thrown).code);
}

/** An identity for one mailbox, so that neither device reveals its own. */
async function newIdentity(): Promise<Identity> {
  // Missing outside secure contexts, contrary to its type.
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  return subtle === undefined
    ? unverifiableIdentity()
    : identityOf(await generateIdentityKey(subtle), subtle);
}

/** The only guess with typed words. */
interface Guess {
  /** Whether message 3 was read, which shows once whether the words are right. */
  isTested: boolean;
}

/** Answers the run of the device that shows the code, and waits for the link. */
async function receiveLink(
  { client, senderTo }: Mailbox,
  options: HandshakeDeps,
  guess: Guess,
  clock: Clock,
  calledOff: AbortSignal | undefined,
): Promise<string> {
  const shower = options.peerId;
  const sender = senderTo(shower);
  let responder = createResponder(options);
  let run: string | null = null;
  let keys: EstablishedKeys | null = null;
  let cancelWait = () => {};
  /** Boxes being opened, in order: their sender leaves as soon as it has sent one. */
  let opening: Promise<void> = Promise.resolve();
  try {
    return await new Promise<string>((resolve, reject) => {
      const end = (error: WarrenError) => void opening.finally(() => reject(error)).catch(() => {});
      const wait = () => {
        cancelWait();
        cancelWait = clock.after(answerMs, gone);
      };
      const gone = () => end(new WarrenError("code-not-found"));
      const callOff = () => reject(new WarrenError("connection-closed"));
      calledOff?.addEventListener("abort", callOff, { once: true });
      if (calledOff?.aborted) callOff();
      client.listenForLeave((left) => left === shower && gone());
      client.listenForStatus((status) => status.status === "closed" && end(status.error));

      const take = async (frame: SealedSignal): Promise<void> => {
        if (frame.type === "hs1" && !guess.isTested) {
          // The first run, or another one after one of us was briefly disconnected.
          run = frame.run;
          responder = createResponder(options);
          sender.sendSignal({ ...responder.onMessage1(frame), run });
          wait();
        } else if (frame.type === "hs3" && frame.run === run && !guess.isTested) {
          guess.isTested = true;
          const { message, established } = await responder.onMessage3(frame);
          keys = established;
          sender.sendSignal({ ...message, run });
          wait();
        } else if (frame.type === "box" && frame.run === run && keys !== null) {
          const box = openBox(keys, frame);
          opening = opening.then(async () => {
            const text = await box;
            if (text !== null) resolve(linkIn(text));
          });
          await opening;
        }
      };
      sender.listenForSignal((frame) => {
        take(frame).catch((thrown: unknown) => {
          const error = toWarrenError(thrown);
          reject(error.code === "incorrect-password" ? new WarrenError("code-wrong") : error);
        });
      });
      wait();
    });
  } finally {
    cancelWait();
  }
}

/** The content of a box; null for one forged by the server. */
async function openBox({ opener }: EstablishedKeys, box: SealedSignalOf<"box">): Promise<string | null> {
  try {
    return new TextDecoder().decode(await opener.open(box));
  } catch (thrown) {
    if (toWarrenError(thrown).code !== "handshake-failed") throw thrown;
    return null;
  }
}

/** @throws WarrenError `frame-not-json` or `frame-invalid` */
function linkIn(text: string): string {
  const decoded = decodeFrame(invitationSchema, text, limits.signalBytes);
  if (!decoded.ok) throw decoded.error;
  return decoded.value.link;
}

function randomWord(): string {
  return codeWords[randomBelow(codeWords.length)] ?? "";
}
