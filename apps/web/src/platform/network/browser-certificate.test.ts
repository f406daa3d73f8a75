import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createCertificate } from "./browser-certificate.ts";

const fingerprint = Array.from({ length: 32 }, (_, n) => n.toString(16).padStart(2, "0")).join(":");
const close = vi.fn();

/** Firefox: a certificate does not tell its fingerprint, an offer does. */
const firefox = {
  generateCertificate: async (): Promise<unknown> => ({ expires: 0 }),
  createOffer: async (): Promise<unknown> => ({
    type: "offer",
    sdp: `a=fingerprint:sha-256 ${fingerprint}\r\n`,
  }),
};

function browser({ generateCertificate, createOffer }: { [K in keyof typeof firefox]: () => unknown }): void {
  class Connection {
    static readonly generateCertificate = generateCertificate;
    readonly createOffer = createOffer;
    readonly createDataChannel = () => {};
    readonly close = close;
  }
  vi.stubGlobal("RTCPeerConnection", Connection);
}

beforeEach(() => {
  close.mockClear();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("comes with the fingerprint that an offer names", async () => {
  browser(firefox);
  const certificate = await createCertificate();
  expect(certificate.fingerprint).toEqual(Uint8Array.from({ length: 32 }, (_, n) => n));
  expect(close).toHaveBeenCalledOnce();
});

const never = () => new Promise(() => {});

it.each<[keyof typeof firefox, string, () => unknown]>([
  ["generateCertificate", "returns nothing", () => undefined],
  ["generateCertificate", "resolves with nothing", async () => undefined],
  ["generateCertificate", "never answers", never],
  ["createOffer", "returns nothing", () => undefined],
  ["createOffer", "resolves with nothing", async () => undefined],
  ["createOffer", "resolves without a description", async () => ({ type: "offer" })],
  ["createOffer", "never answers", never],
])("is refused with a reason, and closes what it opened, where %s %s", async (call, _how, answer) => {
  browser({ ...firefox, [call]: answer });
  const created = expect(createCertificate()).rejects.toMatchObject({
    code: "webrtc-blocked",
    values: { call },
  });
  await vi.advanceTimersByTimeAsync(5_000);
  await created;
  expect(close).toHaveBeenCalledTimes(call === "createOffer" ? 1 : 0);
});
