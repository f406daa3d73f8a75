import { type ClientId, limits, type SealedSignal, WarrenError } from "@warren/protocol";
import type { SignalSender } from "../ports/signalling.ts";

/** How many signals of one member are queued for a listener; a whole attempt has some 30. */
const waitingSignals = 256;

interface Mailbox {
  /** Queued signals, oldest first. */
  readonly waiting: SealedSignal[];
  sender: SignalSender | null;
  readonly listeners: Set<(signal: SealedSignal) => void>;
}

/** The senders to the members of a room, and signals queued until there is a listener. */
export class SignalSenders {
  readonly #guests = new Map<ClientId, Set<Set<(signal: SealedSignal) => void>>>();
  readonly #mailboxes = new Map<ClientId, Mailbox>();
  readonly #send: (to: ClientId, signal: SealedSignal) => void;

  constructor(send: (to: ClientId, signal: SealedSignal) => void) {
    this.#send = send;
  }

  /** @throws WarrenError `controller-exists` while another sender to that member is open. */
  create(targetId: ClientId): SignalSender {
    const mailbox = this.#mailbox(targetId) ?? emptyMailbox();
    if (mailbox.sender !== null) throw new WarrenError("controller-exists");
    const sender: SignalSender = {
      targetId,
      sendSignal: (signal) => {
        if (mailbox.sender === sender) this.#send(targetId, signal);
      },
      listenForSignal: (callback) => {
        if (mailbox.sender !== sender) return () => {};
        mailbox.listeners.add(callback);
        for (const signal of mailbox.waiting.splice(0)) callback(signal);
        return () => mailbox.listeners.delete(callback);
      },
      close: () => {
        if (mailbox.sender !== sender) return;
        mailbox.sender = null;
        mailbox.listeners.clear();
        if (this.#mailboxes.get(targetId) === mailbox) this.#mailboxes.delete(targetId);
      },
    };
    mailbox.sender = sender;
    return sender;
  }

  /** A second sender to a member, for its admission: its signals are not queued. */
  createGuest(targetId: ClientId): SignalSender {
    const listeners = new Set<(signal: SealedSignal) => void>();
    const guests = this.#guests.get(targetId) ?? new Set();
    this.#guests.set(targetId, guests);
    guests.add(listeners);
    return {
      targetId,
      sendSignal: (signal) => {
        if (guests.has(listeners)) this.#send(targetId, signal);
      },
      listenForSignal: (callback) => {
        listeners.add(callback);
        return () => listeners.delete(callback);
      },
      close: () => {
        listeners.clear();
        guests.delete(listeners);
        if (guests.size === 0) this.#guests.delete(targetId);
      },
    };
  }

  /** Delivers a signal to its listener, or queues it. */
  deliver(from: ClientId, signal: SealedSignal): void {
    const hasGuests = this.#guests.has(from);
    this.deliverToGuests(from, signal);
    const mailbox = this.#mailbox(from);
    if (mailbox === null || (hasGuests && mailbox.listeners.size === 0)) return;
    if (mailbox.listeners.size > 0) {
      for (const listener of [...mailbox.listeners]) listener(signal);
      return;
    }
    mailbox.waiting.push(signal);
    if (mailbox.waiting.length > waitingSignals) mailbox.waiting.shift();
  }

  /** Delivers a signal that belongs only to an admission. */
  deliverToGuests(from: ClientId, signal: SealedSignal): void {
    for (const listeners of [...(this.#guests.get(from) ?? [])])
      for (const listener of [...listeners]) listener(signal);
  }

  /** Drops the queued signals of a member that left. */
  forget(clientId: ClientId): void {
    const mailbox = this.#mailboxes.get(clientId);
    mailbox?.waiting.splice(0);
    if (mailbox?.sender === null) this.#mailboxes.delete(clientId);
  }

  close(): void {
    for (const mailbox of this.#mailboxes.values()) mailbox.sender?.close();
    this.#guests.clear();
    this.#mailboxes.clear();
  }

  #mailbox(clientId: ClientId): Mailbox | null {
    const known = this.#mailboxes.get(clientId);
    if (known) return known;
    if (this.#mailboxes.size >= limits.roomMembers) return null;
    const mailbox = emptyMailbox();
    this.#mailboxes.set(clientId, mailbox);
    return mailbox;
  }
}

function emptyMailbox(): Mailbox {
  return { waiting: [], sender: null, listeners: new Set() };
}
