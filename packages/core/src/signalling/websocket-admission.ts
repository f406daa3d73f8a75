import {
  type ClientFrame,
  type ClientId,
  type RoomMember,
  toWarrenError,
  type WarrenError,
} from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { SeatRequest, SignalSender } from "../ports/signalling.ts";
import { NewcomerQueue } from "./newcomer-queue.ts";
import type { SignalSenders } from "./signal-senders.ts";

interface WebsocketAdmissionDeps {
  readonly seat: SeatRequest;
  readonly clock: Clock;
  readonly senders: SignalSenders;
  /** Sends a frame on the socket that holds the seat, if there is one. */
  readonly send: (frame: ClientFrame) => void;
}

/** Admission to a locked room, from both sides: we prove that we know the password, and let newcomers prove it. */
export class WebsocketAdmission {
  readonly #deps: WebsocketAdmissionDeps;
  /** The sender to the member that may admit us. */
  #proving: SignalSender | null = null;
  /** Newcomers that knocked. */
  readonly #knocking: NewcomerQueue<ClientId>;
  /** Newcomers that we may admit; aborted when one has gone. */
  readonly #greeting = new Map<ClientId, AbortController>();

  constructor(deps: WebsocketAdmissionDeps) {
    this.#deps = deps;
    this.#knocking = new NewcomerQueue(deps.clock, (clientId) => void this.#greet(clientId));
  }

  /** The member that we prove to, while we do. */
  get greeterId(): ClientId | undefined {
    return this.#proving?.targetId;
  }

  /** Not admitted yet: we first prove to a member of the room that we know the password. */
  prove(greeter: RoomMember | null, fail: (error: WarrenError) => void): void {
    if (this.#proving !== null && this.#proving.targetId === greeter?.clientId) return;
    this.stopProving();
    if (greeter === null) return;
    const sender = this.#deps.senders.createGuest(greeter.clientId);
    this.#proving = sender;
    this.#deps.seat.prove(sender).then(
      () => sender.close(),
      (thrown: unknown) => {
        // A replaced greeter is no failure.
        if (this.#proving === sender) fail(toWarrenError(thrown));
      },
    );
  }

  stopProving(): void {
    this.#proving?.close();
    this.#proving = null;
  }

  /** A newcomer asks to be admitted. */
  knock(clientId: ClientId): void {
    this.#knocking.add(clientId, clientId);
  }

  /** It no longer waits. */
  forget(clientId: ClientId): void {
    this.#knocking.delete(clientId);
    this.#stopGreeting(clientId);
  }

  close(): void {
    this.stopProving();
    this.#knocking.clear();
    for (const clientId of [...this.#greeting.keys()]) this.#stopGreeting(clientId);
  }

  /** We have to admit a newcomer. When it knocks again, its earlier visit is over. */
  async #greet(clientId: ClientId): Promise<void> {
    const { seat, senders, send } = this.#deps;
    this.#stopGreeting(clientId);
    const sender = senders.createGuest(clientId);
    const gone = new AbortController();
    this.#greeting.set(clientId, gone);
    const isCurrent = () => this.#greeting.get(clientId) === gone;
    const onDeferred = () => {
      if (isCurrent()) send({ type: "defer", clientId });
    };
    const answer = await seat.greet(sender, onDeferred, gone.signal).then(
      (): ClientFrame => ({ type: "admit", clientId }),
      (thrown: unknown): ClientFrame => {
        const wasTested = toWarrenError(thrown).code !== "approval-needed";
        return { type: "reject", clientId, ...(!wasTested && { reason: "not-admitted" }) };
      },
    );
    sender.close();
    if (!isCurrent()) return;
    this.#greeting.delete(clientId);
    send(answer);
  }

  #stopGreeting(clientId: ClientId): void {
    this.#greeting.get(clientId)?.abort();
    this.#greeting.delete(clientId);
  }
}
