import type { ClientFrame, ClientId } from "@warren/protocol";
import type { EnvironmentEvents } from "../ports/environment.ts";
import type { KeyValueStorage } from "../ports/key-value-storage.ts";
import type { SeatRequest, SignallingClient, SignallingClientStatus } from "../ports/signalling.ts";
import { Emitter } from "../shared/emitter.ts";
import { MemoryKeyValueStorage } from "../shared/storage/memory-key-value-storage.ts";
import { WebsocketSignalling } from "../signalling/websocket-signalling.ts";
import { FakeClock } from "./fake-clock.ts";
import { FakeSignallingServer } from "./fake-signalling-server.ts";
import { openSeat } from "./open-seat.ts";

/** No key: these pages may claim any id. */
const keyless = { publicKey: new Uint8Array(0), sign: async () => new Uint8Array(0) };

/** Pages connected to one in-memory signalling server, sharing one clock. */
export class SignallingPages {
  readonly clock = new FakeClock();
  readonly server = new FakeSignallingServer(this.clock);
  readonly roomTag = "b".repeat(43);
  /** When each socket was opened, ms since the epoch. */
  readonly openedAt: number[] = [];
  /** The random number for the pages' jitter, in [0, 1). */
  random = 0.5;
  readonly #environment = new Emitter<EnvironmentEvents>();

  /** A page's backend; pages that share storage are one tab before and after a reload. */
  page(storage: KeyValueStorage = new MemoryKeyValueStorage()): WebsocketSignalling {
    return new WebsocketSignalling({
      identity: keyless,
      openSocket: (url, protocol) => {
        this.openedAt.push(this.clock.now());
        return this.server.openSocket(url, protocol);
      },
      url: () => "ws://server.test/ws",
      clock: this.clock,
      storage,
      random: () => this.random,
      environment: this.#environment,
    });
  }

  enter(
    clientId: ClientId,
    storage?: KeyValueStorage,
    seat: Partial<SeatRequest> = {},
  ): Promise<SignallingClient> {
    return this.page(storage).createClient({
      ...openSeat,
      ...seat,
      roomTag: this.roomTag,
      clientId,
    });
  }

  /** The machine wakes. */
  wake(): void {
    this.#environment.emit("wake");
  }

  /** The frames of one type that the server received. */
  framesOf(type: ClientFrame["type"]): ClientFrame[] {
    return this.server.received.filter((frame) => frame.type === type);
  }
}

/** The statuses of a client from now on, starting with the current one. */
export function signallingStatusesOf(client: SignallingClient): SignallingClientStatus["status"][] {
  const statuses: SignallingClientStatus["status"][] = [];
  client.listenForStatus(({ status }) => statuses.push(status));
  return statuses;
}
