import type { IncomingHttpHeaders } from "node:http";
import { limits } from "@warren/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toClientAddress } from "../limits/client-address.ts";
import { type RedisServer, startRedis } from "../testing/redis-server.ts";
import { TestClient, testClientId } from "../testing/test-client.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { testBox } from "../testing/test-signals.ts";
import { NearbyTags, networkOf } from "./nearby.ts";

const fast = { newSocketsPerSecond: 1_000, socketsPerAddress: 200 };
const behindOne = { trustedProxyHops: 1, limits: fast };
/** Rooms hold more than the network's. */
const inLargeRooms = { ...behindOne, limits: { ...fast, roomMembers: 2 * limits.nearbyMembers } };
const behindTwo = { trustedProxyHops: 2, limits: fast };
const resumeKey = "a secret that both nodes have been given";
const [home, other] = ["203.0.113.1", "203.0.113.2"];

/** The ids of those in the room that the last of some clients finds, each at its address. */
async function foundBy(server: TestServer, ...addresses: string[]): Promise<string[]> {
  const clients: TestClient[] = [];
  for (const [index, ip] of addresses.entries()) clients.push(await server.client(index + 1, ip));
  const joined = [];
  for (const client of clients) joined.push(await client.nearby());
  return joined.at(-1)?.members.map(({ clientId }) => clientId) ?? [];
}

describe("pages meet nearby", () => {
  it.each([
    ["at one address", behindOne, [home, home], true],
    ["not at two addresses", behindOne, [home, other], false],
    ["in one IPv6 /64", behindOne, ["2001:db8:1:2::5", "2001:db8:1:2:aaaa:bbbb:cccc:dddd"], true],
    ["not in two /64 of one site", behindOne, ["2001:db8:1:2::5", "2001:db8:1:3::5"], false],
    ["behind two proxies", behindTwo, [`${home}, 198.51.100.7`, `${home}, 198.51.100.8`], true],
    ["not behind one second proxy", behindTwo, [`${home}, 198.51.100.7`, `${other}, 198.51.100.7`], false],
    ["at two private addresses of a private host", behindOne, ["192.168.1.4", "10.0.0.9"], true],
    ["not at a private address and at a public one", behindOne, ["192.168.1.4", home], false],
  ])("%s", async (_name, settings, addresses, isMeeting) => {
    await using server = await startTestServer(settings);
    expect(await foundBy(server, ...addresses)).toEqual(isMeeting ? [testClientId(1)] : []);
  });

  it("without a proxy", async () => {
    await using server = await startTestServer();
    const [a, b] = [await server.client(1), await server.client(2)];
    await a.nearby();
    expect((await b.nearby()).members).toEqual([{ clientId: testClientId(1), order: 0 }]);
    await a.next("member-joined");
    b.send({ type: "leave" });
    expect(await a.next("member-left")).toEqual({ type: "member-left", clientId: testClientId(2) });
  });

  it("and a dropped page takes its seat again", async () => {
    await using server = await startTestServer(behindOne);
    const [a, b] = [await server.client(1, home), await server.client(2, home)];
    await a.nearby();
    const { resumeToken, order } = await b.nearby();
    await a.next("member-joined");
    b.socket.terminate();
    const again = await server.client(2, home);
    expect((await again.nearby(resumeToken)).order).toBe(order);
    expect(await a.next("member-joined")).toMatchObject({ resumed: true });
    // A token of one network is worth nothing in another.
    const moved = await server.client(2, other);
    expect((await moved.nearby(resumeToken)).members).toEqual([]);
  });

  it(`until there are ${limits.nearbyMembers}`, async () => {
    await using server = await startTestServer(inLargeRooms);
    for (let number = 1; number <= limits.nearbyMembers; number++)
      await (await server.client(number, home)).nearby();
    const late = await server.client(100, home);
    late.send({ type: "nearby" });
    expect(await late.next("error")).toEqual({ type: "error", code: "room-full" });
    const elsewhere = await server.client(101, other);
    await elsewhere.nearby();
  });
});

describe("a stranger", () => {
  it.each([
    ["names further hops than there are", behindOne, { "x-forwarded-for": `${home}, ${home}` }],
    ["comes through fewer proxies than there are", behindTwo, { "x-forwarded-for": home }],
    ["comes without a readable address", behindOne, { "x-forwarded-for": "unknown" }],
    ["claims an address where no proxy is trusted", { limits: fast }, { "x-forwarded-for": home }],
  ])("that %s meets nobody, and ends its socket by asking", async (_name, settings, headers) => {
    await using server = await startTestServer(settings);
    const stranger = await TestClient.open(server.port, { headers });
    await stranger.hello(testClientId(9));
    expect(stranger.mayMeetNearby).toBe(false);
    stranger.send({ type: "nearby" });
    expect(await stranger.closed).toEqual({ code: 4400, reason: "protocol-violation" });
  });

  it("of another network learns no tag to join by", async () => {
    await using server = await startTestServer({ ...behindOne, resumeKey });
    const [a, b] = [await server.client(1, home), await server.client(2, home)];
    await a.nearby();
    await b.nearby();
    const tag = new NearbyTags(resumeKey).tagOf(home);
    expect([...a.transcript, ...b.transcript].join()).not.toContain(tag);
    for (const guess of [new NearbyTags(), new NearbyTags()])
      expect(guess.tagOf(home)).not.toBe(new NearbyTags().tagOf(home));
    expect(new NearbyTags().tagOf(home)).not.toBe(tag);
    const stranger = await server.client(9, other);
    expect((await stranger.nearby()).members).toEqual([]);
    stranger.send({ type: "signal", to: testClientId(1), signal: testBox() });
    expect(await stranger.next("error")).toEqual({ type: "error", code: "unknown-member" });
    expect((await a.rest()).map(({ type }) => type)).toEqual(["member-joined"]);
  });

  it("that comes and goes without end is told to wait, and disturbs no more than in any room", async () => {
    await using server = await startTestServer(behindOne);
    const a = await server.client(1, home);
    await a.nearby();
    const flooders = await Promise.all(Array.from({ length: 20 }, (_, n) => server.client(100 + n, home)));
    for (const flooder of flooders) {
      for (let i = 0; i < 70; i++) {
        flooder.send({ type: "nearby" });
        flooder.send({ type: "leave" });
      }
    }
    await Promise.all(flooders.map((flooder) => Promise.race([flooder.rest(), flooder.closed])));
    const arrivals = (await a.rest()).filter(({ type }) => type === "member-joined").length;
    expect(arrivals).toBeGreaterThan(0);
    expect(arrivals).toBeLessThanOrEqual(3 * limits.nearbyMembers);
  });
});

describe("the network of a page", () => {
  const network = (ip: string, page: string, headers: IncomingHttpHeaders = {}, trustedProxyHops = 0) =>
    networkOf({ headers }, toClientAddress(ip), { page, trustedProxyHops });

  it.each([
    ["192.168.1.4", "http://192.168.1.2:8080", "private"],
    ["127.0.0.1", "http://localhost:8080", "private"],
    ["fe80::1", "https://[fd00::2]", "private"],
    ["fd00::9", "https://warren.local", "private"],
    ["10.0.0.4", "http://nas:8080", "private"],
    // Everybody may have this address, if a container forwards its port.
    ["172.17.0.1", "https://warren.example.org", undefined],
    ["172.17.0.1", "", undefined],
    ["64:ff9b::203.0.113.9", "https://warren.example.org", undefined],
    ["2001:0:4136:e378:8000:63bf:3fff:fdd2", "https://warren.example.org", undefined],
    [home, "https://warren.example.org", home],
    // A public address is that of a network whatever the page's host is.
    [home, "http://192.168.1.2", home],
  ])("at %s that came from %s is %s", (ip, page, expected) => {
    expect(network(ip, page)).toBe(expected);
  });

  it.each(["x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip", "via"])(
    "is unknown behind a proxy that the settings do not count and that sends %s",
    (header) => {
      expect(network(home, "https://warren.example.org", { [header]: "1" })).toBeUndefined();
    },
  );
});

describe("over Redis", () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.kill());

  it("pages at two nodes meet, up to the same limit, and nothing of their network is stored after", async () => {
    const settings = { ...inLargeRooms, redisUrls: [redis.url], resumeKey };
    await using one = await startTestServer(settings);
    await using two = await startTestServer(settings);
    const [a, b] = [await one.client(1, home), await two.client(2, home)];
    await a.nearby();
    expect((await b.nearby()).members).toEqual([{ clientId: testClientId(1), order: 0 }]);
    expect(await a.next("member-joined")).toMatchObject({ member: { clientId: testClientId(2) } });
    const c = await two.client(3, other);
    expect((await c.nearby()).members).toEqual([]);
    const others: TestClient[] = [];
    for (let number = 10; number < 8 + limits.nearbyMembers; number++)
      others.push(await (number % 2 ? one : two).client(number, home));
    for (const page of others) await page.nearby();
    const late = await two.client(100, home);
    late.send({ type: "nearby" });
    expect(await late.next("error")).toEqual({ type: "error", code: "room-full" });
    expect(await redis.command("KEYS *")).not.toContain(home);
    expect(await redis.command("KEYS warren:room:*")).not.toBe("*0\r\n");
    for (const page of [a, b, c, ...others]) await page.close();
    await expect.poll(() => redis.command("KEYS warren:room:*")).toBe("*0\r\n");
  });
});
