import { createHash, randomUUID } from "node:crypto";
import type { ServerProcess } from "./processes.ts";
import { maskedFrame, RawClient } from "./raw-client.ts";

export const membersPerRoom = 6;
const openAtOnce = 100;
/** Sizes in bytes of the boxes of a candidate and of a session description. */
export const boxes = { candidate: 300, offer: 2_200 } as const;

/** A client in its room. */
export interface Member {
  readonly client: RawClient;
  readonly clientId: string;
}

/** Two clients, one of which sends to the other. */
export interface Pair {
  readonly from: RawClient;
  readonly to: RawClient;
  /** The frame sent by `from`, already encoded. */
  readonly frame: Buffer;
}

function roomTag(number: number): string {
  return createHash("sha256").update(`bench ${number}`).digest("base64url");
}

/** Joins a room, given by its number, with a new client. */
export async function join(server: ServerProcess, room: number): Promise<Member> {
  const clientId = randomUUID();
  const client = await RawClient.open(server.port);
  const hello = {
    type: "hello",
    version: 4,
    clientId,
    server: `ws://127.0.0.1:${server.port}`,
    publicKey: "",
    proof: "",
  };
  await client.next("challenge");
  client.send(JSON.stringify(hello));
  await client.next("welcome");
  client.send(JSON.stringify({ type: "join", room: roomTag(room), locked: false }));
  await client.next("joined");
  return { client, clientId };
}

/** Fills rooms one after another; the members of each are distributed over the servers. */
export async function fill(
  servers: readonly ServerProcess[],
  sockets: number,
  firstRoom: number,
): Promise<readonly Member[]> {
  const members: Member[] = [];
  for (let next = 0; next < sockets; next += openAtOnce) {
    const batch = Array.from({ length: Math.min(openAtOnce, sockets - next) }, (_, i) =>
      join(at(servers, next + i), firstRoom + Math.floor((next + i) / membersPerRoom)),
    );
    members.push(...(await Promise.all(batch)));
  }
  return members;
}

export function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}

/** Every member sends to the next one in its room. */
export function pairsOf(members: readonly Member[], kind: keyof typeof boxes): Pair[] {
  const signal = { type: "box", run: "r".repeat(22), seq: 1, kind, box: "x".repeat(boxes[kind]) };
  return members.map(({ client }, index) => {
    const first = index - (index % membersPerRoom);
    const to = at(members, first + ((index + 1 - first) % Math.min(membersPerRoom, members.length - first)));
    return {
      from: client,
      to: to.client,
      frame: maskedFrame(JSON.stringify({ type: "signal", to: to.clientId, signal })),
    };
  });
}
