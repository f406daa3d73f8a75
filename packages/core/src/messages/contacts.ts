import type { ClientId } from "@warren/protocol";
import { shallow } from "zustand/vanilla/shallow";
import type { Clock } from "../ports/clock.ts";
import type { StoredRecord } from "../ports/record-storage.ts";
import type { RecordWriter } from "../shared/storage/record-writer.ts";
import type { WritableStore } from "../shared/store.ts";
import type { ChatState, Contact } from "./chat-state.ts";
import type { ChatMessage } from "./message.ts";
import { contactRecord, parseContact } from "./stored-chat.ts";

/** A client as seen in a session, in a room or nearby; without `avatar` the known picture is kept. */
export type SeenClient = Pick<Contact, "clientId" | "name" | "proven"> &
  Partial<Pick<Contact, "avatar">> & { readonly isNearby?: boolean };

/**
 * Every client we have met. A contact is stored after the first exchanged message or
 * decision about it; until then it is lost when the page closes.
 */
export class Contacts {
  readonly #store: WritableStore<ChatState>;
  readonly #writer: RecordWriter;
  readonly #clock: Clock;
  /** The contacts in storage. */
  readonly #kept = new Set<ClientId>();

  constructor(deps: { store: WritableStore<ChatState>; writer: RecordWriter; clock: Clock }) {
    this.#store = deps.store;
    this.#writer = deps.writer;
    this.#clock = deps.clock;
  }

  /** Restores the contacts that an earlier page stored, beside those added since. */
  restore(records: readonly StoredRecord[]): void {
    const contacts = records.map(parseContact).filter((contact) => contact !== null);
    this.keep(contacts);
    const restored = Object.fromEntries(contacts.map((contact) => [contact.clientId, contact]));
    this.#store.setState((state) => ({ contacts: { ...state.contacts, ...restored } }));
  }

  /** The contacts in storage. */
  stored(): readonly Contact[] {
    return [...this.#kept].map((clientId) => this.get(clientId)).filter((contact) => contact !== undefined);
  }

  /** The contact of a client we have met. */
  get(clientId: ClientId): Contact | undefined {
    return this.#store.getState().contacts[clientId];
  }

  /** Adds or updates a client, keeping the time of the first meeting and the decisions about it. */
  remember(seen: SeenClient): void {
    const { clientId, name, isNearby = false } = seen;
    const met = this.get(clientId);
    const known = met ?? newContact(clientId, this.#clock.now());
    const { avatar = known.avatar } = seen;
    const { nearby: before, ...rest } = known;
    const nearby = isNearby ? (met ? before : true) : undefined;
    const proven = seen.proven || known.proven;
    this.#save({ ...rest, name, avatar, proven, ...(nearby && { nearby }) });
  }

  /** We wrote to a client alone, or accepted something of it. */
  accept(clientId: ClientId): void {
    this.change(clientId, { accepted: true });
  }

  /**
   * Decides anew who is accepted: earlier versions took everybody for it who was met in a room, or in a room we wrote to.
   * Whom we neither permitted anything nor wrote to alone is a stranger.
   */
  async review(hasWrittenTo: (clientId: ClientId) => Promise<boolean>): Promise<void> {
    const ofRooms = this.stored().filter(({ nearby }) => nearby === undefined);
    for (const { clientId, trustLevel, autoAccept, clipboardAllowed } of ofRooms) {
      const isPermitted = trustLevel === "verified" || autoAccept || clipboardAllowed;
      const accepted = trustLevel !== "blocked" && (isPermitted || (await hasWrittenTo(clientId)));
      this.change(clientId, { accepted });
    }
  }

  /** Changes a contact, which is stored from then on. Does nothing for a client we have not met. */
  change(clientId: ClientId, change: Partial<Omit<Contact, "clientId" | "createdAt">>): void {
    const known = this.get(clientId);
    if (known === undefined || shallow(known, { ...known, ...change })) return;
    this.#kept.add(clientId);
    this.#save({ ...known, ...change });
  }

  /** The contacts to store along with a message because it was exchanged with them. */
  contactsToStore({ client, conversation, deliveries }: ChatMessage): readonly Contact[] {
    return [...new Set([client, conversation, ...Object.keys(deliveries)])]
      .map((id) => this.get(id))
      .filter((contact) => contact !== undefined)
      .filter(({ clientId }) => !this.#kept.has(clientId));
  }

  /** Marks these contacts as stored. */
  keep(contacts: readonly Contact[]): void {
    for (const { clientId } of contacts) this.#kept.add(clientId);
  }

  /** Stops storing a contact that is being deleted. @returns a function that undoes this. */
  stopStoring(clientId: ClientId): () => void {
    const wasKept = this.#kept.delete(clientId);
    return () => wasKept && this.#kept.add(clientId);
  }

  #save(contact: Contact): void {
    const { clientId } = contact;
    const known = this.get(clientId);
    if (known !== undefined && shallow(known, contact)) return;
    this.#store.setState((state) => ({ contacts: { ...state.contacts, [clientId]: contact } }));
    if (this.#kept.has(clientId)) this.#writer.write({ put: [contactRecord(contact)] });
  }
}

function newContact(clientId: ClientId, createdAt: number): Contact {
  return {
    clientId,
    name: "",
    avatar: null,
    proven: false,
    trustLevel: "unverified",
    autoAccept: false,
    clipboardAllowed: false,
    accepted: false,
    muted: false,
    redirect: false,
    createdAt,
  };
}
