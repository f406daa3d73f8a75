import { readSendQueues } from "../limits/send-queues.ts";

/** Whether this system shows what clients have not acknowledged. */
export const queuesAreShown = (await readSendQueues()) !== undefined;

/** The bytes that clients of a port have not acknowledged, those of closed connections included. */
export async function unreadAt(port: number): Promise<number> {
  const queues = (await readSendQueues()) ?? [];
  return queues.filter(({ localPort }) => localPort === port).reduce((sum, { bytes }) => sum + bytes, 0);
}
