import type { ServerFrame, TurnSignIn } from "@warren/protocol";
import type { Clock } from "../clock.ts";
import type { Denial, Entry, Knock, Relay, RoomEvent, Seat, SeatRequest } from "../relay/relay.ts";
import type { ResumeTokens } from "../resume-token.ts";
import { type TurnSignIns, turnRenewalMs } from "../turn-sign-ins.ts";

/** A client that is joining a room. */
export interface JoinRequest extends Omit<SeatRequest, "claim"> {
  readonly resumeToken?: string | undefined;
}

/** Renews resume tokens and TURN sign-ins after part of their lifetime, so that clients always have fresh ones. */
export type Renew = () => { readonly resumeToken?: string; readonly turn?: TurnSignIn };

/** The age at which a client's token is renewed. */
const tokenRenewalMs = 60_000;

/** A seat, and the frame that confirms it to the client. */
export interface Joined {
  readonly seat: Seat;
  readonly renew: Renew;
  readonly frame: Extract<ServerFrame, { type: "joined" }>;
}

/** An event for a client in a room or waiting for admission. */
export type JoinEvent = Exclude<RoomEvent, { type: "admitted" }> | ({ readonly type: "admitted" } & Joined);

/**
 * The answer to a join: seated, pending or refused. Call `listen`, which starts the events, after the answer was sent,
 * so that no event overtakes it.
 */
export type JoinAnswer =
  | ({ readonly status: "joined"; readonly listen: () => void } & Joined)
  | { readonly status: "pending"; readonly listen: () => void; readonly knock: Knock }
  | ({ readonly status: "refused" } & Denial);

/** Entry to the rooms: verifies resume tokens, takes seats from the relay, issues new tokens. */
export class Rooms {
  readonly #relay: Relay;
  readonly #tokens: ResumeTokens;
  readonly #clock: Clock;
  readonly #turn: TurnSignIns;

  constructor(relay: Relay, tokens: ResumeTokens, clock: Clock, turn: TurnSignIns) {
    this.#relay = relay;
    this.#tokens = tokens;
    this.#clock = clock;
    this.#turn = turn;
  }

  /** Asks for a seat; an invalid token counts as none. */
  async join(request: JoinRequest, listener: (event: JoinEvent) => void): Promise<JoinAnswer> {
    const { resumeToken, ...rest } = request;
    const { identity, room } = request;
    const claim = this.#tokens.verify(identity.clientId, room, resumeToken);
    // A token identifies its client's seat; only the key identifies the client.
    if (claim?.isProven && !identity.isProven) return { status: "refused", reason: "identity" };
    const deliver = (event: RoomEvent) => {
      if (event.type === "admitted") listener({ type: "admitted", ...this.#joined(request, event) });
      else listener(event);
    };
    let early: RoomEvent[] | undefined = [];
    const answer = await this.#relay.enter({ ...rest, claim }, (event) => {
      if (early) early.push(event);
      else deliver(event);
    });
    if (answer.status === "refused") return answer;
    const listen = () => {
      const waiting = early ?? [];
      early = undefined;
      for (const event of waiting) deliver(event);
    };
    return answer.status === "pending"
      ? { ...answer, listen }
      : { status: "joined", listen, ...this.#joined(request, answer) };
  }

  #joined(
    { identity, room, locked, address }: JoinRequest,
    { seat, order, members, incarnation }: Entry,
  ): Joined {
    const resumeToken = () => this.#tokens.issue(identity, room, { order, isLocked: locked, incarnation });
    const turn = this.#turn.issue(address);
    let tokenAt = this.#clock.elapsedMs();
    let turnAt = tokenAt;
    return {
      seat,
      renew: () => {
        const now = this.#clock.elapsedMs();
        const isTokenOld = now >= tokenAt + tokenRenewalMs;
        if (isTokenOld) tokenAt = now;
        const nextTurn = now >= turnAt + turnRenewalMs ? this.#turn.issue(address) : undefined;
        if (nextTurn) turnAt = now;
        return { ...(isTokenOld && { resumeToken: resumeToken() }), ...(nextTurn && { turn: nextTurn }) };
      },
      frame: {
        type: "joined",
        order,
        members: [...members],
        resumeToken: resumeToken(),
        ...(turn && { turn }),
      },
    };
  }
}
