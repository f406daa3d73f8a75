import { type ClientId, utf8Length, WarrenError } from "@warren/protocol";
import type { StoredRecord } from "../ports/record-storage.ts";
import type { WritableStore } from "../shared/store.ts";
import type { ChatState, Intake } from "./chat-state.ts";
import type { ChatMessage } from "./message.ts";
import type { RecordWriter } from "./record-writer.ts";
import { intakeRecord, parseIntake } from "./stored-chat.ts";

const kib = 1024;
const mib = 1024 * kib;
/** What is stored at most from one client that is not verified, and from all of them. */
const limits = { perClient: 32 * mib, together: 256 * mib } as const;
/** What a message takes besides its own words. Those about files are all in memory, so each counts for more. */
const overheadBytes = { text: 512, file: 4 * kib } as const;
/** With the first message of a client its contact is stored, whose picture has up to 64 KiB. */
const nothing: Intake = { bytes: 64 * kib, refusedIn: [] };

/** How much a received message counts. */
export function storedBytesOf(message: ChatMessage): number {
  const words = message.type === "text" ? message.data : (message.manifest ?? "") + (message.thumbnail ?? "");
  return utf8Length(words) + overheadBytes[message.type];
}

/** How many bytes of messages each client has stored here, and the limit for those that are not verified. */
export class Intakes {
  readonly #store: WritableStore<ChatState>;
  readonly #writer: RecordWriter;

  constructor(deps: { store: WritableStore<ChatState>; writer: RecordWriter }) {
    this.#store = deps.store;
    this.#writer = deps.writer;
  }

  /** Takes over what an earlier page counted. */
  restore(records: readonly StoredRecord[]): void {
    const intakes = records.map(parseIntake).filter((intake) => intake !== null);
    this.#store.setState({
      intakes: Object.fromEntries(intakes.map(({ client, ...intake }) => [client, intake])),
    });
  }

  /** Counts a received message. @returns the count to store with it. @throws WarrenError `history-full`. */
  take(message: ChatMessage): StoredRecord {
    const { client, conversation } = message;
    const { bytes, refusedIn } = this.#of(client);
    const after = bytes + storedBytesOf(message);
    if (after <= this.#limitFor(client))
      return this.#set(client, { bytes: after, refusedIn: refusedIn.filter((id) => id !== conversation) });
    if (!refusedIn.includes(conversation))
      this.#writer.write({ put: [this.#set(client, { bytes, refusedIn: [...refusedIn, conversation] })] });
    throw new WarrenError("history-full", { limitBytes: limits.perClient });
  }

  /** Counts a message no more that was not stored, or is deleted. @returns the count to store; none where none was kept. */
  giveBack(message: ChatMessage): readonly StoredRecord[] {
    const { client } = message;
    if (!Object.hasOwn(this.#store.getState().intakes, client)) return [];
    const { bytes, refusedIn } = this.#of(client);
    return [this.#set(client, { bytes: Math.max(0, bytes - storedBytesOf(message)), refusedIn })];
  }

  /** Counts what is added to a message that was taken. @returns the count to store with it. */
  count(client: ClientId, added: number): StoredRecord {
    const { bytes, refusedIn } = this.#of(client);
    return this.#set(client, { bytes: bytes + added, refusedIn });
  }

  #limitFor(client: ClientId): number {
    if (this.#isVerified(client)) return Number.POSITIVE_INFINITY;
    const ofOthers = Object.entries(this.#store.getState().intakes)
      .filter(([id]) => id !== client && !this.#isVerified(id))
      .reduce((sum, [, intake]) => sum + (intake?.bytes ?? 0), 0);
    return Math.min(limits.perClient, limits.together - ofOthers);
  }

  #isVerified(client: ClientId): boolean {
    return this.#store.getState().contacts[client]?.standing === "verified";
  }

  #of(client: ClientId): Intake {
    return this.#store.getState().intakes[client] ?? nothing;
  }

  #set(client: ClientId, intake: Intake): StoredRecord {
    this.#store.setState((state) => ({ intakes: { ...state.intakes, [client]: intake } }));
    return intakeRecord(client, intake);
  }
}
