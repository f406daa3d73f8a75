import type { ClientId } from "@warren/protocol";
import { type TestClient, testClientId } from "./test-client.ts";
import type { TestServer } from "./test-server.ts";
import { testStep } from "./test-signals.ts";

/** The time between knocks that a greeter can answer. */
export const nextKnockMs = 250;

/** A greeter and its guest exchange handshake messages up to `until`, with meaningless content. */
export async function greet(
  [greeter, greeterId]: readonly [TestClient, ClientId],
  [guest, guestId]: readonly [TestClient, ClientId],
  until: "hs1" | "hs2" | "hs3" | "hs4" = "hs4",
): Promise<void> {
  const { run } = testStep("hs1");
  for (const step of ["hs1", "hs2", "hs3", "hs4"] as const) {
    const isFromGreeter = step === "hs1" || step === "hs3";
    const [from, to, toId] = isFromGreeter ? [greeter, guest, guestId] : [guest, greeter, greeterId];
    from.send({ type: "signal", to: toId, signal: testStep(step, run) });
    await to.next("signal");
    if (step === until) return;
  }
}

/** A locked room of `count` members, numbered from 1, each admitted by the first. */
export async function lockedRoom(server: TestServer, room: string, count: number): Promise<TestClient[]> {
  const members: TestClient[] = [];
  for (let number = 1; number <= count; number++) {
    const client = await server.client(number);
    server.clock.advance(nextKnockMs);
    client.ask(room);
    const [greeter] = members;
    if (greeter) {
      await client.next("pending");
      await greeter.next("knock");
      greeter.send({ type: "admit", clientId: testClientId(number) });
    }
    await client.next("joined");
    for (const member of members) await member.next("member-joined");
    members.push(client);
  }
  return members;
}
