import { type ClientId, type RoomTag, WarrenError } from "@warren/protocol";
import { logTagOf, passwordRelatedString } from "../handshake/crypto/password.ts";
import { loadPortableCrypto, platformCrypto } from "../handshake/crypto/platform-crypto.ts";
import { GuessBudget } from "../handshake/guess-budget.ts";
import type { Identity } from "../handshake/identity.ts";
import type { Clock } from "../ports/clock.ts";
import type { CreateCertificate, LocalCertificate } from "../ports/peer-connection.ts";
import type { SeatRequest, SignalSender } from "../ports/signalling.ts";
import { Emitting, type EventSource } from "../shared/emitter.ts";
import type { SignalLinks } from "../signalling/signal-link.ts";
import { greetNewcomer, proveToGreeter } from "./admission.ts";
import { type SealedLinksDeps, SealedSignalLinks } from "./sealed-signal-links.ts";

/** The security functions for one membership of a room. */
export interface EnteredRoom extends Pick<SeatRequest, "locked" | "prove" | "greet"> {
  /** The links to one member. */
  readonly links: (sender: SignalSender) => SignalLinks;
}

type SecurityEvents = {
  /** Too many wrong passwords: a client is connected only after a person lets it in. */
  "approval-needed": [clientId: ClientId];
  /** A person need no longer decide. */
  "approval-over": [clientId: ClientId];
};

/** A room as its server knows it, and its password. */
interface RoomKey {
  readonly roomTag: RoomTag;
  readonly password: string | null;
}

/** How the clients of a room establish trust. */
export interface RoomSecurity extends EventSource<SecurityEvents> {
  /** Starts what takes long and that a room, once entered, will need: its password is hashed. Sends and stores nothing. */
  prepare(room: RoomKey): void;
  enter(room: RoomKey): EnteredRoom;
  /** The tag for which the entries of a room's log are signed. Rejects with `app-code-missing`. */
  logTag(room: RoomKey): Promise<RoomTag>;
  /** The certificates of every connection. */
  certificates(): Promise<RTCCertificate[]>;
  /** A person lets a client in, once. */
  letIn(clientId: ClientId): void;
}

interface SealedRoomsDeps {
  readonly identity: Identity;
  readonly createCertificate: CreateCertificate;
  readonly clock: Clock;
  /** Whether a client showed a key on first contact, or a link named its key: without that key it is somebody else. */
  readonly mustProveId: (clientId: ClientId) => Promise<boolean>;
}

interface MadeCertificate {
  readonly certificate: LocalCertificate;
  /** Whether it was not expired when it was made. */
  readonly isFresh: boolean;
}

/** Rooms in which every session starts with the handshake of docs/security.md. */
export class SealedRooms extends Emitting<SecurityEvents> implements RoomSecurity {
  readonly #deps: SealedRoomsDeps;
  /** By room and password: trust earned with another password, or without one, does not count here. */
  readonly #budgets = new Map<string, GuessBudget>();
  #budget: GuessBudget | null = null;
  /** Shared by all connections of the page until it expires, generated with the first room. */
  #certificate: Promise<MadeCertificate> | null = null;
  /** What was derived for the room prepared or entered last. */
  #derived: { readonly room: string; readonly prs: Promise<Uint8Array> } | null = null;

  constructor(deps: SealedRoomsDeps) {
    super();
    this.#deps = deps;
  }

  prepare({ roomTag, password }: RoomKey): void {
    // Awaited by the first run; until then a rejection would be unhandled.
    for (const started of [this.#prsOf(roomTag, password), this.#certificateNow()]) started.catch(() => {});
    if (platformCrypto() === undefined) loadPortableCrypto().catch(() => {}); // by the first run it is here
  }

  enter({ roomTag, password }: RoomKey) {
    const { identity, clock, mustProveId } = this.#deps;
    this.prepare({ roomTag, password });
    const budget = this.#budgetOf(roomTag, password);
    this.#budget = budget;
    const depsFor = (
      sender: SignalSender,
      permission: (peerId: ClientId) => Promise<void>,
    ): SealedLinksDeps => ({
      sender,
      budget,
      permission: () => permission(sender.targetId),
      handshake: async () => ({
        identity,
        peerId: sender.targetId,
        roomTag,
        prs: await this.#prsOf(roomTag, password),
        fingerprint: (await this.#certificateNow()).fingerprint,
        peerMustProveId: await mustProveId(sender.targetId),
      }),
    });
    return {
      locked: password !== null,
      links: (sender: SignalSender) =>
        new SealedSignalLinks(depsFor(sender, (peerId) => budget.require(peerId))),
      // A newcomer whose own password was wrong ten times has nobody to ask.
      prove: (greeter: SignalSender) => proveToGreeter(depsFor(greeter, requireOpen), clock),
      greet: (newcomer: SignalSender, onDeferred: () => void, gone?: AbortSignal) =>
        greetNewcomer(
          depsFor(newcomer, (peerId) => budget.admission(peerId, onDeferred, gone)),
          clock,
          gone,
        ),
    };

    async function requireOpen(peerId: ClientId): Promise<void> {
      if (!(await budget.opensFor(peerId))) throw new WarrenError("rate-limited");
    }
  }

  async logTag({ roomTag, password }: RoomKey): Promise<RoomTag> {
    return password === null ? roomTag : logTagOf(roomTag, await this.#prsOf(roomTag, password));
  }

  /** Derived once for the room prepared or entered last. */
  #prsOf(roomTag: RoomTag, password: string | null): Promise<Uint8Array> {
    const room = JSON.stringify([roomTag, password]);
    if (this.#derived?.room === room) return this.#derived.prs;
    const derived = { room, prs: passwordRelatedString(password, roomTag, platformCrypto()) };
    this.#derived = derived;
    derived.prs.catch(() => {
      if (this.#derived === derived) this.#derived = null; // its code could not be fetched; the next run tries again
    });
    return derived.prs;
  }

  letIn(clientId: ClientId): void {
    this.#budget?.letIn(clientId);
  }

  /** Reused when the same room is joined again: leaving it must not reset the budget. */
  #budgetOf(roomTag: RoomTag, password: string | null): GuessBudget {
    const key = JSON.stringify([roomTag, password]);
    const known = this.#budgets.get(key);
    if (known) return known;
    // Without a password there is nothing to guess: broken runs must not force a person to approve every client.
    const budget = new GuessBudget(
      this.#deps.clock,
      this.#deps.mustProveId,
      password === null ? Number.POSITIVE_INFINITY : undefined,
    );
    budget.on("ask", (clientId) => this.emit("approval-needed", clientId));
    budget.on("over", (clientId) => this.emit("approval-over", clientId));
    this.#budgets.set(key, budget);
    return budget;
  }

  async certificates(): Promise<RTCCertificate[]> {
    return (await this.#certificateNow()).certificates;
  }

  /**
   * Another one where the last has expired, since browsers then make no connection: a page may be open for long, or its
   * clock set. One that was expired when it was made says that the clocks of page and browser differ, and is kept.
   */
  async #certificateNow(): Promise<LocalCertificate> {
    const made = this.#ownCertificate();
    const { certificate, isFresh } = await made;
    if (!isFresh || !this.#isExpired(certificate)) return certificate;
    if (this.#certificate === made) this.#certificate = null;
    return (await this.#ownCertificate()).certificate;
  }

  #ownCertificate(): Promise<MadeCertificate> {
    this.#certificate ??= this.#deps.createCertificate().then(
      (certificate) => ({ certificate, isFresh: !this.#isExpired(certificate) }),
      (thrown: unknown) => {
        this.#certificate = null; // the next attempt tries again
        throw thrown;
      },
    );
    return this.#certificate;
  }

  #isExpired({ certificates }: LocalCertificate): boolean {
    return certificates.some(({ expires }) => expires <= this.#deps.clock.now());
  }
}
