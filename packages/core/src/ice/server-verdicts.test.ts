import { expect, it, vi } from "vitest";
import { ServerVerdicts } from "./server-verdicts.ts";

const refused = { urls: "stun:a.test:99999" };
const accepted = { urls: "stun:b.test" };

function verdicts(create: (urls: readonly unknown[]) => void) {
  const close = vi.fn();
  const createPeerConnection = vi.fn(({ iceServers = [] }: RTCConfiguration) => {
    create(iceServers.map(({ urls }) => urls));
    return { close } as unknown as RTCPeerConnection;
  });
  return { close, createPeerConnection, verdicts: new ServerVerdicts(createPeerConnection) };
}

it("tries each server once, with a connection that is closed at once", () => {
  const {
    close,
    createPeerConnection,
    verdicts: their,
  } = verdicts((urls) => {
    if (urls.includes(refused.urls))
      throw new SyntaxError("Failed to construct 'RTCPeerConnection': Invalid port");
  });
  for (let time = 0; time < 3; time++) {
    expect(their.refusalOf(refused)).toBe("Invalid port");
    expect(their.refusalOf(accepted)).toBeNull();
  }
  const tried = createPeerConnection.mock.calls.map(([{ iceServers }]) => iceServers);
  expect(tried).toEqual([[refused], [], [accepted]]);
  expect(close).toHaveBeenCalledTimes(2);
});

it("has none while the browser creates no connection at all", () => {
  let isBlocked = true;
  const { verdicts: their } = verdicts((urls) => {
    if (isBlocked || urls.includes(refused.urls)) throw new SyntaxError("no");
  });
  expect(their.refusalOf(refused)).toBeNull();
  isBlocked = false;
  expect(their.refusalOf(refused)).toBe("no");
});
