import type { ClientId, FileDescription, FileId, PeerMessageOf } from "@warren/protocol";
import { sampleOf } from "../files/digests/sample.ts";
import type { FileLibrary } from "../files/file-library.ts";
import { rootOfSource } from "../files/file-source.ts";
import { type FileMessage, type MessageKey, messageKeyOf } from "../messages/message.ts";
import type { MessageLog } from "../messages/message-log.ts";
import type { Clock } from "../ports/clock.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import type { FileOffers } from "./file-offers.ts";
import type { Offers } from "./offers.ts";
import type { PassedFiles } from "./passed-files.ts";

/** How long a sender may take to read its file; an automatically accepted offer waits at most this long. */
const answerTimeoutMs = 30_000;

interface SameFilesDeps {
  readonly selfId: ClientId;
  readonly messages: Pick<MessageLog, "update">;
  readonly offers: Offers;
  readonly passed: PassedFiles;
  readonly fileOffers: FileOffers;
  readonly library: FileLibrary;
  readonly clock: Clock;
  readonly answer: (to: ClientId, message: OutgoingMessage) => void;
}

interface Asked {
  readonly root: string;
  /** Ends the wait for the answer. */
  readonly settle: (isSame: boolean) => void;
}

/**
 * Finds out that an offered file is already here, so that its bytes are not sent. Only considers files that passed
 * completely between the two clients (`PassedFiles.like`): otherwise offers could probe for files received from
 * others.
 */
export class SameFiles {
  readonly #deps: SameFilesDeps;
  /** Pending questions to senders, by their offers. */
  readonly #asked = new Map<MessageKey, Asked>();
  /** Offers of ours whose root was sent once: reading a whole file on every request costs too much. */
  readonly #sent = new Set<string>();
  readonly #samples = new Map<FileId, Promise<string | null>>();

  constructor(deps: SameFilesDeps) {
    this.#deps = deps;
  }

  /**
   * Asks the sender of an offer whether it is the file that appears to be here already. If so, the offer becomes that
   * file and is complete; meanwhile it can be answered like any other.
   * @param known our file with the same description.
   * @param sample the sample digest of the offer.
   */
  async settle(offer: FileMessage, known: FileDescription, sample: string): Promise<void> {
    const { library, answer, clock } = this.#deps;
    const sender = offer.client;
    const root = library.sourceOf(known.fid)?.root;
    if (!root || (await this.#sampleOf(known.fid)) !== sample) return;
    const isSame = await new Promise<boolean>((resolve) => {
      const cancel = clock.after(answerTimeoutMs, () => resolve(false));
      const settle = (is: boolean) => {
        cancel();
        resolve(is);
      };
      this.#asked.set(offer.key, { root, settle });
      answer(sender, { type: "same-file", id: offer.id, root });
    });
    this.#asked.delete(offer.key);
    if (!isSame || !library.isComplete(known.fid)) return;
    this.#foundHere(offer.key, sender, known);
  }

  /** Handles a root from the other side: of the file it holds if the offer is ours, or of the file it offers. */
  async receive(from: ClientId, { id, root }: PeerMessageOf<"same-file">): Promise<void> {
    const { selfId, offers } = this.#deps;
    const offer = offers.find(messageKeyOf(selfId, id));
    if (offer && Object.hasOwn(offer.offers, from)) return this.#compare(from, offer, root);
    const key = messageKeyOf(from, id);
    const asked = this.#asked.get(key);
    if (asked) asked.settle(asked.root === root);
    else await this.#recognise(key, from, root);
  }

  /** The sender repeats its answer because we missed it, or it comes after we stopped waiting for it. */
  async #recognise(key: MessageKey, sender: ClientId, root: string): Promise<void> {
    const { library, offers, passed } = this.#deps;
    const offer = offers.find(key);
    const known = offer && (await passed.like(sender, offer.file));
    if (!known || !library.isComplete(known.fid) || library.sourceOf(known.fid)?.root !== root) return;
    this.#foundHere(key, sender, known);
  }

  #foundHere(key: MessageKey, sender: ClientId, known: FileDescription): void {
    const { offers, fileOffers } = this.#deps;
    void fileOffers.take("found-here", offers.shownIn(key, sender)[0], { already: true, file: known });
  }

  async #compare(from: ClientId, offer: FileMessage, theirs: string): Promise<void> {
    const { messages, library, offers, fileOffers, answer } = this.#deps;
    const { key, id, file, sample } = offer;
    const isUnanswered = () => this.#isUnanswered(key, from);
    const pair = `${key}>${from}`;
    if (sample === undefined || !isUnanswered() || this.#sent.has(pair)) return;
    this.#sent.add(pair);
    const isAtHand = await library.openSource(file.fid, { ask: false });
    const source = isAtHand ? library.sourceOf(file.fid) : null;
    if (!source) return;
    const root = await rootOfSource(file, source, isUnanswered);
    if (root === null || !isUnanswered()) return;
    // The receiver may miss the answer, and ask about the offer when the file is no longer at hand.
    messages.update(key, (message) => (message.type === "file" ? { ...message, root } : message));
    answer(from, { type: "same-file", id, root });
    if (root !== theirs) return;
    void fileOffers.take("peer-has-it", offers.shownIn(key, from)[0], { already: true });
  }

  /** Whether an offer is still unanswered. */
  #isUnanswered(key: MessageKey, peer: ClientId): boolean {
    return this.#deps.offers.shownIn(key, peer)[0]?.state === "offered";
  }

  #sampleOf(fid: FileId): Promise<string | null> {
    const known = this.#samples.get(fid);
    if (known !== undefined) return known;
    const made = this.#makeSample(fid);
    this.#samples.set(fid, made);
    return made;
  }

  async #makeSample(fid: FileId): Promise<string | null> {
    const file = await this.#deps.library.open(fid);
    return file && sampleOf(file);
  }
}
