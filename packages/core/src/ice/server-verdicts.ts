import type { CreatePeerConnection } from "../ports/peer-connection.ts";

/**
 * Which ICE servers this browser accepts. Only it can tell: it throws for a whole configuration if it does not accept
 * one server of it, and browsers differ.
 */
export class ServerVerdicts {
  readonly #createPeerConnection: CreatePeerConnection;
  readonly #known = new Map<string, string | null>();

  constructor(createPeerConnection: CreatePeerConnection) {
    this.#createPeerConnection = createPeerConnection;
  }

  /** Why the browser refuses a server, in its own words; null if it accepts it. Each server is tried once. */
  refusalOf(server: RTCIceServer): string | null {
    const key = JSON.stringify(server);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const refusal = this.#try([server]);
    // A browser that creates no connection at all says nothing about the server.
    if (refusal !== null && this.#try([]) !== null) return null;
    this.#known.set(key, refusal);
    return refusal;
  }

  #try(iceServers: RTCIceServer[]): string | null {
    try {
      this.#createPeerConnection({ iceServers }).close();
      return null;
    } catch (thrown) {
      const words = thrown instanceof Error ? thrown.message : String(thrown);
      // Chromium begins with what it did, which is the same for every server.
      return words.replace(/^Failed to construct '\w+': /, "");
    }
  }
}
