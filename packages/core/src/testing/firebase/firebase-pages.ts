import type { EnvironmentEvents } from "../../ports/environment.ts";
import type { SeatRequest, SignallingClient, SignallingClientStatus } from "../../ports/signalling.ts";
import { roomTagOf } from "../../room/room-tag.ts";
import { Emitter } from "../../shared/emitter.ts";
import { systemClock } from "../../shared/system-clock.ts";
import { FirebaseSignalling } from "../../signalling/firebase/firebase-signalling.ts";
import { openSeat } from "../open-seat.ts";
import { FirebaseDouble } from "./firebase-double.ts";

/** The room of these pages, where a test names no other. */
export const roomTag = roomTagOf("burrow");
let pageCount = 0;

/** Pages of different browsers that meet over one double of Firebase, in real time. */
export class FirebasePages {
  readonly double = new FirebaseDouble();
  readonly #clients: SignallingClient[] = [];
  readonly #environment = new Emitter<EnvironmentEvents>();

  /** The backend of a page, with an account of its own. */
  page(): FirebaseSignalling {
    pageCount += 1;
    return new FirebaseSignalling({
      config: {
        apiKey: "key",
        databaseUrl: this.double.databaseUrl,
        authEmulatorUrl: this.double.accountsUrl,
      },
      clock: systemClock,
      environment: this.#environment,
      appName: `page ${pageCount}`,
    });
  }

  async enter(seat: Partial<SeatRequest> & Pick<SeatRequest, "clientId">, page = this.page()) {
    const client = await page.createClient({ ...openSeat, roomTag, ...seat });
    this.#clients.push(client);
    return client;
  }

  /** Starts a test on an empty database. */
  async open(): Promise<void> {
    await this.double.start();
  }

  async close(): Promise<void> {
    for (const client of this.#clients.splice(0)) client.destroy();
    await this.double.stop();
  }

  /** The machines wake. */
  wake(): void {
    this.#environment.emit("wake");
  }

  /** The folder of the room, as it is stored. */
  stored(kind: "open" | "locked", folder: string) {
    const stored = this.double.database.peek(`rooms/${roomTag}/${kind}/${folder}`);
    return stored as Readonly<Record<string, Readonly<Record<string, unknown>>>> | null;
  }

  /** The account of a client in the room. */
  accountOf(clientId: string, kind: "open" | "locked" = "open"): string {
    const members = Object.entries(this.stored(kind, "members") ?? {});
    return members.find(([, { id }]) => id === clientId)?.[0] ?? "";
  }

  /** The ids of the other members, kept up to date. */
  membersOf(client: SignallingClient): string[] {
    const members: string[] = [];
    client.listenForJoin(({ clientId }) => members.includes(clientId) || members.push(clientId));
    client.listenForLeave((clientId) => members.splice(members.indexOf(clientId), 1));
    return members;
  }

  statusesOf(client: SignallingClient): SignallingClientStatus["status"][] {
    const statuses: SignallingClientStatus["status"][] = [];
    client.listenForStatus(({ status }) => statuses.push(status));
    return statuses;
  }
}
