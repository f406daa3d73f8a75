import { describe, expect, it } from "vitest";
import { lockedRoom } from "./testing/test-admission.ts";
import { type TestClient, testClientId, testRoomTag } from "./testing/test-client.ts";
import { startTestServer } from "./testing/test-server.ts";
import { testBox } from "./testing/test-signals.ts";

const room = testRoomTag("a");
const ann = testClientId(1);
/** What one network may have a member sent at once. */
const most = 768 * 1024;
/** The largest that a frame holds. */
const large = testBox(32_848);
const behindProxy = { trustedProxyHops: 1, limits: { newSocketsPerSecond: 1_000, socketsPerAddress: 64 } };

async function flood(attackers: readonly TestClient[], to: string): Promise<void> {
  for (const attacker of attackers)
    for (let i = 0; i < 70; i++) attacker.send({ type: "signal", to, signal: large });
  await Promise.all(attackers.map((attacker) => attacker.rest()));
}

const bytesOf = async (client: TestClient) => {
  const signals = (await client.rest()).filter(({ type }) => type === "signal");
  return signals.reduce((sum, signal) => sum + JSON.stringify(signal).length, 0);
};

describe("signals without end", () => {
  it.each([
    ["an IPv4 address", (_: number) => "203.0.113.9"],
    ["an IPv6 /48", (number: number) => `2001:db8:1:${(number << 8).toString(16)}::1`],
  ])("of %s reach a member up to a limit, which takes nothing from others", async (_, addressOf) => {
    await using server = await startTestServer(behindProxy);
    const [a, b] = [await server.client(1, "203.0.113.1"), await server.client(2, "203.0.113.2")];
    await a.join(room);
    await b.join(room);
    const attackers = await Promise.all(
      [4, 5, 6, 7].map((number) => server.client(number, addressOf(number))),
    );
    for (const attacker of attackers) await attacker.join(room);
    await a.rest();
    await b.rest();

    await flood(attackers, ann);
    const first = await bytesOf(a);
    expect(first).toBeGreaterThan(0.9 * most);
    expect(first).toBeLessThan(1.1 * most);
    server.clock.advance(4_000);
    await flood(attackers, ann);
    expect(await bytesOf(a)).toBeLessThan(1.1 * (4 / 12) * most);

    b.send({ type: "signal", to: ann, signal: large });
    attackers[0]?.send({ type: "signal", to: testClientId(2), signal: large });
    await attackers[0]?.rest();
    expect(await bytesOf(a)).toBeGreaterThan(0);
    expect(await bytesOf(b)).toBeGreaterThan(0);
  });

  it("of a greeter reach a newcomer up to the same limit", async () => {
    await using server = await startTestServer(behindProxy);
    const [greeter] = await lockedRoom(server, room, 1);
    const guest = await server.client(2, "203.0.113.2");
    guest.ask(room);
    await guest.next("pending");
    if (!greeter) throw new Error("no greeter");
    await flood([greeter], testClientId(2));
    const sent = await bytesOf(guest);
    expect(sent).toBeGreaterThan(0.9 * most);
    expect(sent).toBeLessThan(1.1 * most);
  });
});
