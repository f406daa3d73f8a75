import { act, cleanup, screen } from "@testing-library/react";
import type { Peer } from "@warren/core";
import { type ErrorCode, WarrenError } from "@warren/protocol";
import { afterEach, expect, test, vi } from "vitest";
import { useLocation } from "wouter";
import { RouteLine } from "../people/route-line.tsx";
import { usePartner } from "../people/use-partner.ts";
import { clientIdOf, fakeContact, fakePeer, roomWith } from "../testing/fake-records.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";

afterEach(cleanup);

function Banner() {
  const [address] = useLocation();
  return (
    <>
      <ConnectionBanner person={usePartner(clientIdOf(1))} />
      <output>{address}</output>
    </>
  );
}

const bannerText = () => screen.getByText(/^(Could not reach|The connection to) Jun/).textContent;

function showFailure(code: ErrorCode, change: Partial<Peer> = {}) {
  const fake = fakeWarren();
  const error = new WarrenError(code).describe();
  fake.setRoom(roomWith([{ ...fakePeer(1, "Jun Tanaka"), session: "disconnected", error, ...change }]));
  return { fake, ...renderWithWarren(<Banner />, fake) };
}

test("suggests a relay for a peer that is unreachable without one", async () => {
  const { user } = showFailure("connect-timeout");
  expect(
    screen.getByText("Could not reach Jun. No connection within 10 s. No TURN server is set up."),
  ).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Add a TURN server" }));
  expect(screen.getByText("/setting#connection")).toBeTruthy();
});

test("does not mention a relay if one is set up or would not help", () => {
  const { fake } = showFailure("connect-timeout");
  const turn = { authMethod: "longterm", url: "turn:a.test", username: "u", password: "p" } as const;
  fake.setOptions({ servers: { stuns: [], turns: [turn] } });
  cleanup();
  renderWithWarren(<Banner />, fake);
  expect(screen.getByText(/^Could not reach Jun\./)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Add a TURN server" })).toBeNull();
  cleanup();
  for (const code of ["incorrect-password", "no-answer"] as const) {
    showFailure(code);
    expect(bannerText()).toMatch(/^Could not reach Jun\./);
    expect(screen.queryByRole("button", { name: "Add a TURN server" })).toBeNull();
    cleanup();
  }
});

test("names the servers that connections do without, rather than a missing relay", () => {
  const fake = fakeWarren();
  const error = new WarrenError("connect-timeout").describe();
  fake.setRoom(roomWith([{ ...fakePeer(1, "Jun Tanaka"), session: "disconnected", error }]));
  const refused = (url: string) => ({
    url,
    error: new WarrenError("server-refused", { url, reason: "no port" }).describe(),
  });
  fake.leaveOutServers([
    refused("turn:a.example:99999"),
    refused("stun:b.example:0"),
    refused("stun:c.example:0"),
  ]);
  renderWithWarren(<Banner />, fake);
  const first = "This browser does not accept turn:a.example:99999 (no port).";
  expect(bannerText()?.trim()).toBe(
    `Could not reach Jun. No connection within 10 s. ${first} 2 more servers are left out.`,
  );
  expect(screen.queryByRole("button", { name: "Add a TURN server" })).toBeNull();
});

test.each<[ErrorCode, RegExp]>([
  ["description-invalid", /^Could not reach Jun\. Your browsers could not agree on a connection/],
  ["webrtc-blocked", /^Could not reach Jun\. This browser does not let Warren connect/],
])("reports a connection that this browser cannot use, while retrying: %s", (code, text) => {
  showFailure(code, { session: "reconnecting", connectedAt: 1, nextAttemptAtMs: 9_000 });
  expect(screen.getByText(text)).toBeTruthy();
});

test("names a peer whose browser cannot receive what is shared, while retrying", () => {
  showFailure("media-refused", { session: "reconnecting", connectedAt: 1, nextAttemptAtMs: 9_000 });
  expect(screen.getByText(/^Could not reach Jun\. Their browser cannot receive what you share/)).toBeTruthy();
});

test.each([
  ["You blocked Jun. They cannot reach you.", true],
  ["The safety codes differ. The connection was closed.", false],
])("%s", async (words, blockedByHand) => {
  const fake = fakeWarren();
  const jun = fakeContact(1, "Jun Tanaka", { trustLevel: "blocked", blockedByHand });
  fake.setChat({ contacts: { [jun.clientId]: jun } });
  const { user } = renderWithWarren(<Banner />, fake);
  expect(screen.getByText(words)).toBeTruthy();
  const unblock = screen.queryByRole("button", { name: "Unblock" });
  expect(unblock !== null).toBe(blockedByHand);
  if (unblock) await user.click(unblock);
  expect(fake.argsOf("unblock")).toEqual(blockedByHand ? [[jun.clientId]] : []);
});

test("says that the peer ended the connection, and does not retry", () => {
  showFailure("session-ended");
  expect(screen.getByText("Jun ended the connection.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

test.each([
  ["disconnected", /^Could not reach Jun\..* Next try in 12 s\.$/, "Try again"],
  ["reconnecting", /^The connection to Jun dropped\. Next try in 12 s\.$/, "Try now"],
] as const)(
  "while %s it shows when the next attempt is, and offers it now",
  async (session, words, action) => {
    const nextAttemptAtMs = performance.now() + 12_400;
    const { fake, user } = showFailure("connect-timeout", { session, ready: false, nextAttemptAtMs });
    expect(bannerText()).toMatch(words);
    await user.click(screen.getByRole("button", { name: action }));
    expect(fake.argsOf("retryConnection")).toEqual([[clientIdOf(1)]]);
  },
);

test.each([
  ["connecting", /^Could not reach Jun\..* Trying again\.$/],
  ["reconnecting", /^The connection to Jun dropped\. Trying again\.$/],
] as const)("stays and says so while retrying, %s", (session, words) => {
  showFailure("connect-timeout", { session, ready: false });
  expect(bannerText()).toMatch(words);
  expect(screen.queryByRole("button", { name: /^Try/ })).toBeNull();
});

test("leaves every connection to the banner of a device that is offline", async () => {
  const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  showFailure("connect-timeout", { session: "reconnecting", ready: false });
  expect(screen.queryByText(/Jun/)).toBeNull();
  onLine.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  await screen.findByText(/dropped/);
  onLine.mockRestore();
});

test("says of nobody that they are online while the device is offline", () => {
  const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Jun Tanaka")]));
  const Line = () => <RouteLine person={usePartner(clientIdOf(1))} />;
  renderWithWarren(<Line />, fake);
  expect(screen.getByText("Not connected")).toBeTruthy();
  onLine.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  expect(screen.getByText(/^Online/)).toBeTruthy();
  onLine.mockRestore();
});

test("shows no next attempt after a refusal", () => {
  showFailure("incorrect-password");
  expect(bannerText()).not.toMatch(/Next try|Trying/);
});
