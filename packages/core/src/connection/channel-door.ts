import type { PeerMessage } from "@warren/protocol";
import type { PeerProof } from "./peer.ts";
import type { ChannelBinding } from "./signal-link.ts";

/** The proof data of an open connection. */
export interface OpenConnection {
  /** Null on a link without a handshake: there is nothing to prove. */
  readonly binding: ChannelBinding | null;
  /** SHA-256 of the peer's certificate; null where the browser hides it. */
  remoteFingerprint(): Uint8Array | null;
}

/** Guards a message channel: the proof comes first, then the profile, then everything else. */
export class ChannelDoor {
  readonly #connection: OpenConnection;
  #state: "unproven" | "proven" | "open";

  constructor(connection: OpenConnection) {
    this.#connection = connection;
    this.#state = connection.binding === null ? "proven" : "unproven";
  }

  /** Our own proof for the first message, if required. @throws WarrenError `handshake-failed`. */
  proof(): string | null {
    return this.#connection.binding?.prove(this.#connection.remoteFingerprint()) ?? null;
  }

  /** What the handshake proved about the peer. */
  get peer(): PeerProof | null {
    return this.#connection.binding?.peer ?? null;
  }

  /**
   * Decides on a message: `forged` ends the connection, `early` violates the protocol, `proof` was consumed
   * here.
   */
  admit(message: PeerMessage): "in" | "proof" | "forged" | "early" {
    if (message.type === "bind") {
      if (this.#state !== "unproven" || !this.#verify(message.proof)) return "forged";
      this.#state = "proven";
      return "proof";
    }
    if (this.#state === "unproven") return "forged";
    if (message.type === "profile") this.#state = "open";
    return this.#state === "open" ? "in" : "early";
  }

  #verify(proof: string): boolean {
    try {
      return this.#connection.binding?.verify(proof, this.#connection.remoteFingerprint()) === true;
    } catch {
      // The certificate in use is not the one of the handshake.
      return false;
    }
  }
}
