import { describe, expect, it, vi } from "vitest";
import type { TurnServer } from "../settings/options.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { checkServer } from "./server-check.ts";
import { ServerVerdicts } from "./server-verdicts.ts";

const turn: TurnServer = {
  authMethod: "longterm",
  url: "turn:relay.test",
  username: "user",
  password: "secret",
};
const noFetch = () => Promise.reject(new TypeError("no network"));

/** A connection that only gathers candidates, scripted by each test. */
class GatheringConnection extends EventTarget {
  readonly configuration: RTCConfiguration;
  isClosed = false;
  channels = 0;
  remoteDescriptions = 0;

  constructor(configuration: RTCConfiguration) {
    super();
    this.configuration = configuration;
  }

  createDataChannel(): void {
    this.channels += 1;
  }

  async setLocalDescription(): Promise<void> {}

  async setRemoteDescription(): Promise<void> {
    this.remoteDescriptions += 1;
  }

  close(): void {
    this.isClosed = true;
  }

  found(type: "host" | "srflx" | "relay"): void {
    const candidate = { candidate: `candidate:1 1 udp 1 192.0.2.1 9 typ ${type} raddr 0.0.0.0 rport 0` };
    this.dispatchEvent(Object.assign(new Event("icecandidate"), { candidate }));
  }

  ended(): void {
    this.dispatchEvent(Object.assign(new Event("icecandidate"), { candidate: null }));
  }

  failed(errorCode: number, errorText: string): void {
    this.dispatchEvent(Object.assign(new Event("icecandidateerror"), { errorCode, errorText }));
  }
}

const refused = "stun:a.test:99999";

async function begin(server: string | TurnServer, fetch: () => Promise<Response> = noFetch) {
  const clock = new FakeClock();
  const made: GatheringConnection[] = [];
  const create = ({ iceServers = [], ...configuration }: RTCConfiguration) => {
    if (iceServers.some(({ urls }) => urls === refused)) throw new DOMException("not valid", "SyntaxError");
    // The fake implements the members used for gathering.
    return new GatheringConnection({ iceServers, ...configuration }) as unknown as RTCPeerConnection;
  };
  const createPeerConnection = (configuration: RTCConfiguration) => {
    const connection = create(configuration);
    made.push(connection as unknown as GatheringConnection);
    return connection;
  };
  const result = checkServer(server, {
    createPeerConnection,
    verdicts: new ServerVerdicts(create),
    clock,
    fetch,
    serverTime: async () => clock.now(),
  });
  await clock.advance(0);
  return { clock, result, connection: made[0] ?? new GatheringConnection({}), made };
}

describe("a check of a server", () => {
  it("contacts only that server, and receives our address from a STUN server", async () => {
    const { clock, result, connection } = await begin("stun:a.test");
    expect(connection.configuration).toEqual({
      iceServers: [{ urls: "stun:a.test" }],
      iceTransportPolicy: "all",
    });
    connection.found("host");
    await clock.advance(38);
    connection.found("srflx");
    expect(await result).toEqual({ status: "answered", candidate: "srflx", tookMs: 38 });
    expect(connection.isClosed).toBe(true);
    expect(connection.remoteDescriptions).toBe(0);
    expect(clock.timerCount).toBe(0);
  });

  it("requires a relay address from a TURN server", async () => {
    const { result, connection } = await begin(turn);
    expect(connection.configuration).toEqual({
      iceServers: [{ urls: "turn:relay.test", username: "user", credential: "secret" }],
      iceTransportPolicy: "relay",
    });
    connection.found("srflx");
    connection.found("relay");
    expect(await result).toMatchObject({ status: "answered", candidate: "relay" });
  });

  it("distinguishes a server that refuses from one that does not answer", async () => {
    const refusing = await begin(turn);
    refusing.connection.failed(701, "TURN host lookup received error.");
    refusing.connection.failed(401, "Unauthorized");
    refusing.connection.ended();
    expect(await refusing.result).toEqual({ status: "refused", code: 401, text: "Unauthorized" });

    const unreachable = await begin(turn);
    unreachable.connection.failed(701, "TURN host lookup received error.");
    unreachable.connection.ended();
    expect(await unreachable.result).toEqual({ status: "silent" });
  });

  it("waits no more than 8 s", async () => {
    const { clock, result, connection } = await begin("stun:a.test");
    connection.found("host");
    await clock.advance(8_000);
    expect(await result).toEqual({ status: "silent" });
    expect(connection.isClosed).toBe(true);
  });

  it.each([
    ["returns nothing", () => undefined as never],
    ["never answers", () => new Promise<never>(() => {})],
  ])("says so where the browser %s", async (_what, setLocalDescription) => {
    vi.spyOn(GatheringConnection.prototype, "setLocalDescription").mockImplementation(setLocalDescription);
    const { clock, result, connection } = await begin("stun:a.test");
    await clock.advance(5_000);
    expect(await result).toEqual({
      status: "failed",
      error: { code: "webrtc-blocked", values: { call: "setLocalDescription" } },
    });
    expect(connection.isClosed).toBe(true);
    expect(clock.timerCount).toBe(0);
  });

  it("names a server that the browser refuses", async () => {
    const { result, made } = await begin(refused);
    expect(await result).toEqual({
      status: "failed",
      error: { code: "server-refused", values: { url: refused, reason: "not valid" } },
    });
    expect(made).toEqual([]);
  });

  it("opens no connection without credentials", async () => {
    const { result, made } = await begin({ ...turn, authMethod: "cloudflare" }, async () =>
      Response.json({}, { status: 403 }),
    );
    expect(await result).toEqual({
      status: "failed",
      error: { code: "cloudflare-error", values: { status: 403 } },
    });
    expect(made).toEqual([]);
  });
});
