import type { ClientId } from "@warren/protocol";
import { partsOf, type TransferKey } from "./transfer-state.ts";

interface Turn {
  readonly key: TransferKey;
  readonly peerId: ClientId;
  readonly needBytes: number;
  readonly begin: () => void;
}

/** The bytes that transfers under way may need, with one client and together. */
interface TurnLimits {
  readonly withPeerBytes: number;
  readonly togetherBytes: number;
}

/**
 * Lets transfers begin as far as there is memory for them; others wait. Who has least under way is next, and everybody
 * has one at least, so nobody waits for what another client does not send.
 */
export class TransferTurns {
  readonly #limits: TurnLimits;
  readonly #underWay = new Map<TransferKey, Turn>();
  readonly #waiting = new Map<TransferKey, Turn>();

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** The transfers that wait. */
  get waiting(): readonly TransferKey[] {
    return [...this.#waiting.keys()];
  }

  isWaiting(key: TransferKey): boolean {
    return this.#waiting.has(key);
  }

  /**
   * Calls `begin` when it is a transfer's turn, in this call where there is room; what it then throws is thrown here.
   * @returns whether it is its turn.
   */
  take(key: TransferKey, needBytes: number, begin: () => void): boolean {
    this.#waiting.set(key, { key, peerId: partsOf(key).peerId, needBytes, begin });
    this.#advance();
    return !this.#waiting.has(key);
  }

  /** A transfer has ended, or need not begin any more. */
  leave(key: TransferKey): void {
    if (this.#waiting.delete(key) || this.#underWay.delete(key)) this.#advance();
  }

  #advance(): void {
    for (let turn = this.#next(); turn; turn = this.#next()) {
      this.#waiting.delete(turn.key);
      this.#underWay.set(turn.key, turn);
      turn.begin();
    }
  }

  /** Of each client the first that waits, and of those the one of who has least under way. */
  #next(): Turn | undefined {
    const heads = new Map<ClientId, Turn>();
    for (const turn of this.#waiting.values()) if (!heads.has(turn.peerId)) heads.set(turn.peerId, turn);
    return [...heads.values()]
      .filter((turn) => this.#hasRoom(turn))
      .sort((a, b) => this.#bytesWith(a.peerId) - this.#bytesWith(b.peerId))[0];
  }

  #hasRoom({ peerId, needBytes }: Turn): boolean {
    const withPeerBytes = this.#bytesWith(peerId);
    if (withPeerBytes === 0) return true;
    const { withPeerBytes: peerLimitBytes, togetherBytes } = this.#limits;
    return withPeerBytes + needBytes <= peerLimitBytes && this.#bytesWith(null) + needBytes <= togetherBytes;
  }

  /** What transfers with a client need together; with null, all transfers. */
  #bytesWith(peerId: ClientId | null): number {
    return [...this.#underWay.values()].reduce(
      (sum, turn) => (peerId === null || turn.peerId === peerId ? sum + turn.needBytes : sum),
      0,
    );
  }
}
