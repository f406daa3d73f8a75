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
 * has one at least and a fair part of what all may have. What is silent holds its client's turns and nobody else's.
 */
export class TransferTurns {
  readonly #limits: TurnLimits;
  readonly #underWay = new Map<TransferKey, Turn>();
  /** Those under way of which nothing comes. */
  readonly #silent = new Set<TransferKey>();
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
    this.#silent.delete(key);
    if (this.#waiting.delete(key) || this.#underWay.delete(key)) this.#advance();
  }

  /** Says whether anything comes of a transfer under way. */
  setSilent(key: TransferKey, isSilent: boolean): void {
    if (!isSilent) this.#silent.delete(key);
    else if (this.#underWay.has(key)) this.#silent.add(key);
    this.#advance();
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
      .sort((a, b) => sumOf(this.#turnsWith(a.peerId)) - sumOf(this.#turnsWith(b.peerId)))[0];
  }

  #hasRoom({ peerId, needBytes }: Turn): boolean {
    const theirs = this.#turnsWith(peerId);
    if (theirs.length === 0) return true;
    const { withPeerBytes: peerLimitBytes, togetherBytes } = this.#limits;
    const withPeerBytes = sumOf(theirs) + needBytes;
    if (withPeerBytes > peerLimitBytes) return false;
    const moving = [...this.#underWay.values()].filter(({ key }) => !this.#silent.has(key));
    const clients = new Set([peerId, ...moving.map((turn) => turn.peerId)]);
    return sumOf(moving) + needBytes <= togetherBytes || withPeerBytes <= togetherBytes / clients.size;
  }

  #turnsWith(peerId: ClientId): readonly Turn[] {
    return [...this.#underWay.values()].filter((turn) => turn.peerId === peerId);
  }
}

function sumOf(turns: readonly Turn[]): number {
  return turns.reduce((sum, { needBytes }) => sum + needBytes, 0);
}
