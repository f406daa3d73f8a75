import type { ClientId, PeerMessageOf } from "@warren/protocol";
import { AttemptQueue } from "../connection/attempt-queue.ts";
import { IceConfiguration, type IceConfigurationDeps } from "../connection/ice-configuration.ts";
import { InboundBudgets } from "../connection/inbound-gate.ts";
import { LanePool } from "../connection/lanes/lane-pool.ts";
import { PeerSession } from "../connection/peer-session.ts";
import type { RoomSecurity } from "../connection/sealed-room.ts";
import type { SignalLinks } from "../connection/signal-link.ts";
import type { CreatePeerConnection } from "../ports/peer-connection.ts";
import type { CleanPicture } from "../ports/pictures.ts";
import type { SignallingClient } from "../ports/signalling.ts";
import { addressMessage, type OutgoingMessage } from "./outgoing-message.ts";
import type { Refusals } from "./refusals.ts";
import { RoomStay } from "./room-stay.ts";
import { roomTagOf } from "./room-tag.ts";

/** What sessions are made with. */
export interface RoomMachineryDeps extends IceConfigurationDeps {
  readonly security: RoomSecurity;
  readonly createPeerConnection: CreatePeerConnection;
  readonly refusals: Refusals;
  readonly cleanPicture: CleanPicture;
  readonly random: () => number;
  readonly ownProfile: () => Pick<PeerMessageOf<"profile">, "type" | "name" | "avatar">;
}

/** Our seat in a room, and the links to each of its members. */
export interface Seat {
  readonly selfId: ClientId;
  readonly client: SignallingClient;
  readonly links: (sender: ReturnType<SignallingClient["createSender"]>) => SignalLinks;
}

/** Makes what a stay in a room runs on. Only who joins needs it, so the room service fetches it with the first join. */
export class RoomMachinery {
  readonly security: RoomSecurity;
  readonly #deps: RoomMachineryDeps;
  readonly #iceConfiguration: IceConfiguration;
  readonly #attempts = new AttemptQueue();
  readonly #lanePool = new LanePool();
  readonly #inbound: InboundBudgets;

  constructor(deps: RoomMachineryDeps) {
    this.security = deps.security;
    this.#deps = deps;
    this.#inbound = new InboundBudgets(deps.clock);
    this.#iceConfiguration = new IceConfiguration(deps);
  }

  /** What a room is entered with: the tag the server knows it by, the way in, and the way to meet its members. */
  enter(roomId: string, password: string | null) {
    const roomTag = roomTagOf(roomId);
    return { roomTag, ...this.security.enter({ roomTag, password }) };
  }

  createStay({ selfId, client, links }: Seat): RoomStay {
    const { clock, refusals, cleanPicture } = this.#deps;
    return new RoomStay({
      client,
      clock,
      refusals,
      cleanPicture,
      createSession: (peerId, isPolite) =>
        this.#createSession(links(client.createSender(peerId)), selfId, peerId, isPolite),
    });
  }

  #createSession(
    links: SignalLinks,
    selfId: ClientId,
    peerId: ClientId,
    isPolite: () => boolean,
  ): PeerSession {
    const { clock, createPeerConnection, random, ownProfile } = this.#deps;
    const address = (body: OutgoingMessage) => addressMessage(body, selfId, peerId, clock.now());
    return new PeerSession({
      selfId,
      peerId,
      isPolite,
      clock,
      random,
      createPeerConnection,
      attempts: this.#attempts,
      lanePool: this.#lanePool,
      inbound: this.#inbound.of(peerId),
      links,
      configuration: async () => ({
        ...(await this.#iceConfiguration.get()),
        certificates: await this.security.certificates(),
      }),
      address,
      profileMessage: () => address(ownProfile()),
    });
  }
}
