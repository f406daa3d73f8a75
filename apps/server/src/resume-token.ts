import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { ClientId, RoomTag } from "@warren/protocol";
import type { Clock } from "./clock.ts";
import type { Identity } from "./identity.ts";

/** How long a token is valid for a client without a kept seat. */
export const resumeTokenLifetimeMs = 600_000;

const provenFlag = 1;
const lockedFlag = 2;

/** One of the successive rooms of a name, from its first member's join until its last member left. */
export interface Incarnation {
  readonly id: string;
  readonly bornAt: number;
}

/** The claims of a valid token. */
export interface ResumeClaim {
  readonly incarnation: Incarnation;
  readonly order: number;
  readonly issuedAt: number;
  /** Not yet expired. */
  readonly isFresh: boolean;
  /** The seat's holder had proven a key. */
  readonly isProven: boolean;
  /** The room was locked, so the client had been admitted. */
  readonly isLocked: boolean;
}

/** Issues and verifies tokens that prove a client's earlier seat. */
export class ResumeTokens {
  readonly #key: string | Buffer;
  readonly #clock: Clock;

  /** @param key shared by processes that accept each other's tokens; random by default */
  constructor(clock: Clock, key?: string) {
    this.#clock = clock;
    this.#key = key ?? randomBytes(32);
  }

  issue(
    { clientId, isProven }: Identity,
    room: RoomTag,
    { order, isLocked, incarnation }: Pick<ResumeClaim, "order" | "isLocked" | "incarnation">,
  ): string {
    const flags = (isProven ? provenFlag : 0) | (isLocked ? lockedFlag : 0);
    const { id, bornAt } = incarnation;
    const place = `${order}.${flags}.${this.#clock.now() + resumeTokenLifetimeMs}.${bornAt}.${id}`;
    return `${place}.${this.#sign(clientId, room, place)}`;
  }

  /** @returns the claims, or undefined if the token was not issued for this client and room with this key */
  verify(clientId: ClientId, room: RoomTag, token: string | undefined): ResumeClaim | undefined {
    const [, place, order, flags, expires, bornAt, id, mac] =
      /^((\d{1,15})\.([0-3])\.(-?\d{1,15})\.(-?\d{1,15})\.([\w-]{22}))\.([\w-]{43})$/.exec(token ?? "") ?? [];
    if (place === undefined || id === undefined || mac === undefined) return undefined;
    const expected = this.#sign(clientId, room, place);
    if (!timingSafeEqual(Buffer.from(mac), Buffer.from(expected))) return undefined;
    const expiresAt = Number(expires);
    return {
      incarnation: { id, bornAt: Number(bornAt) },
      order: Number(order),
      isProven: (Number(flags) & provenFlag) !== 0,
      isLocked: (Number(flags) & lockedFlag) !== 0,
      issuedAt: expiresAt - resumeTokenLifetimeMs,
      isFresh: this.#clock.now() < expiresAt,
    };
  }

  #sign(clientId: ClientId, room: RoomTag, place: string): string {
    return createHmac("sha256", this.#key)
      .update(["resume/2", clientId, room, place].join("|"))
      .digest("base64url");
  }
}
