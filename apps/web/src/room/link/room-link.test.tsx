import { cleanup, screen, waitFor } from "@testing-library/react";
import { defaultOptions, readJoinLink, type TurnServer } from "@warren/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { me } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../../testing/render-with-warren.tsx";
import type { Platform } from "../../wiring/platform-context.ts";
import { RoomLink, ShareTurnChoice } from "./room-link.tsx";
import { useJoinLink } from "./use-join-link.ts";

const turn = (authMethod: TurnServer["authMethod"], url: string): TurnServer => ({
  authMethod,
  url,
  username: "user",
  password: `secret of ${url}`,
});

function LinkBox({ withTurn }: { readonly withTurn: boolean }) {
  return (
    <>
      <p data-testid="link">{useJoinLink({ withTurn })}</p>
      <ShareTurnChoice checked={withTurn} onChange={() => {}} />
    </>
  );
}

const link = () => decodeURIComponent(screen.getByTestId("link").textContent ?? "").replaceAll("+", " ");

function show(turns: TurnServer[], { withTurn = false, share = true } = {}) {
  const fake = fakeWarren();
  fake.setOptions({
    ...defaultOptions,
    servers: { stuns: [], turns },
    shareServersWithOthers: share,
  });
  renderWithWarren(<LinkBox withTurn={withTurn} />, fake);
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("a link to my room", () => {
  it("contains my id, so that I am known without comparing codes", () => {
    show([]);
    expect(readJoinLink(link()).by).toBe(me);
  });

  it("contains the STUN servers that others lack, and no defaults", () => {
    const fake = fakeWarren();
    const stuns = [...defaultOptions.servers.stuns, "stun:own.example"];
    fake.setOptions({ ...defaultOptions, servers: { stuns, turns: [] }, shareServersWithOthers: true });
    renderWithWarren(<LinkBox withTurn={false} />, fake);
    expect(readJoinLink(link()).servers.stuns).toEqual(["stun:own.example"]);
  });
});

it("says once that a link was copied, however often it is", async () => {
  const { user } = renderWithWarren(<RoomLink link="https://warren.example/r/quay" />, fakeWarren());
  const button = screen.getByRole("button", { name: "Copy link" });
  await user.click(button);
  await screen.findByText("Link copied");
  await user.click(button);
  expect(screen.getAllByText("Link copied")).toHaveLength(1);
});

it("shows the room of a link in its own script, and copies the link as it is", async () => {
  const link = "https://warren.example/r/%E6%B8%AF%E5%8F%A3#tidal";
  const platform = fakePlatform();
  const { user } = renderWithWarren(<RoomLink link={link} />, fakeWarren(), { platform });
  expect(screen.getByText("warren.example/r/港口")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Copy link" }));
  expect(platform.written).toEqual([link]);
});

it("shows a link selected, to be copied by hand, where the browser does not copy it", async () => {
  const link = "https://warren.example/r/quay#tidal";
  const platform: Platform = { ...fakePlatform(), writeClipboard: async () => ({ status: "unsupported" }) };
  const { user } = renderWithWarren(<RoomLink link={link} />, fakeWarren(), { platform });
  await user.click(screen.getByRole("button", { name: "Copy link" }));
  await waitFor(() => expect(String(getSelection())).toBe(link));
});

describe("the TURN servers of a link", () => {
  it("have credentials for an hour instead of a secret", async () => {
    show([turn("hmac", "turn:relay.example")]);
    await waitFor(() => expect(link()).toContain("turn:relay.example"));
    const [, expiry = "0"] = /"username":"(\d+):user"/.exec(link()) ?? [];
    const seconds = Number(expiry) - Date.now() / 1_000;
    expect(seconds).toBeGreaterThan(3_500);
    expect(seconds).toBeLessThanOrEqual(3_600);
    expect(link()).not.toContain("secret of");
    expect(screen.queryByText(/goes without relay/)).toBeNull();
  });

  it("are reported if one issued no credentials, and the link omits it", async () => {
    vi.stubGlobal("fetch", async () => new Response("", { status: 403 }));
    show([turn("cloudflare", "turn:cf.example")]);
    expect(
      await screen.findByText("Relay cf.example did not answer, so the link does not include it."),
    ).not.toBeNull();
    expect(link()).not.toContain("turn");
  });

  it("have permanent credentials only after confirmation", () => {
    show([turn("longterm", "turn:own.example")]);
    expect(screen.getByRole("checkbox", { name: /own\.example/ })).not.toBeNull();
    expect(link()).not.toContain("turn:");
    cleanup();
    show([turn("longterm", "turn:own.example")], { withTurn: true });
    expect(link()).toContain("secret of turn:own.example");
  });

  it("are omitted while servers are not shared", async () => {
    const fetch = vi.fn();
    vi.stubGlobal("fetch", fetch);
    show([turn("cloudflare", "turn:cf.example"), turn("longterm", "turn:own.example")], {
      withTurn: true,
      share: false,
    });
    expect(link()).not.toContain("turn");
    expect(fetch).not.toHaveBeenCalled();
  });
});
