import { act, cleanup, screen } from "@testing-library/react";
import { WarrenError } from "@warren/protocol";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type buildJoinLink, readJoinLink } from "../../room/join-link.ts";
import { clientIdOf, roomWith } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { fakeDevice, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { toast } from "../../ui/toaster.tsx";
import { planStartup } from "../startup/plan-startup.ts";
import type { RoomServers } from "../startup/room-servers.ts";
import type { Startup } from "../startup/use-startup.ts";
import { ArrivalGate } from "./arrival-gate.tsx";

const origin = "https://warren.example";
const outside = { status: "disconnected", error: null } as const;
const stun = `stun=${encodeURIComponent('["stun:stun.example:3478"]')}`;

/** Opens the page at an address, in a browser that has or has not been in a room before. */
function visit(
  address: string,
  { known = false, fake = fakeWarren() }: { known?: boolean; fake?: FakeWarren } = {},
) {
  const { profile, settings } = fake.warren;
  const plan = planStartup({
    link: readJoinLink(origin + address),
    profile: profile.get(),
    ownServers: settings.get().servers,
    known,
    roomOfTab: null,
  });
  const allow = vi.fn<RoomServers["allow"]>();
  const remove = vi.fn();
  const startup = {
    plan,
    roomServers: { allow },
    tabStorage: { read: () => null, write: () => {}, remove },
  } as unknown as Startup;
  fake.setRoom(outside);
  const device = fakeDevice();
  const view = renderWithWarren(<ArrivalGate startup={startup}>The app</ArrivalGate>, fake, { device });
  return { ...view, fake, allow, device, answered: () => remove.mock.calls.length > 0 };
}

const title = () => screen.getByRole("heading", { level: 1 }).textContent;
const press = (name: string) => screen.getByRole("button", { name });
const address = () => screen.getByRole("textbox", { name: "Link or room ID" });

afterEach(() => {
  toast.dismiss();
  cleanup();
});

describe("a first visit", () => {
  it("opens with no dialog: what this is, what to do first, and what is not protected", () => {
    visit("/");
    expect(title()).toBe("Rooms between browsers");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getAllByRole("listitem")).toHaveLength(3);
    expect(screen.getByText(/^Your data lives only in this browser/)).not.toBeNull();
  });

  it("is in a new room after one press, with the link copied", async () => {
    const { user, fake, device } = visit("/");
    await user.click(press("New room"));
    const [[{ name }], [room]] = fake.argsOf("updateProfile") as [
      [{ name: string }],
      [Parameters<typeof buildJoinLink>[1]],
    ];
    expect(name).toBe("Okafor");
    expect(fake.argsOf("join")).toHaveLength(1);
    const read = readJoinLink(device.written[0] ?? "");
    expect(read).toMatchObject({ roomId: room.roomId, password: room.password, join: true });
    act(() => fake.setRoom(roomWith([])));
    expect(screen.getByText("The app")).not.toBeNull();
  });

  it.each([
    ["a link", `${origin}/?id=quay&join=true#pwd=tidal`, { roomId: "quay", password: "tidal" }],
    ["a link without its scheme", "warren.example/?id=quay#pwd=tidal", { roomId: "quay", password: "tidal" }],
    ["the ID of a room", "  the quay ", { roomId: "the quay", password: null }],
  ])("joins by %s", async (_name, typed, room) => {
    const { user, fake } = visit("/");
    await user.click(address());
    await user.paste(typed);
    await user.click(press("Join"));
    expect(fake.argsOf("updateProfile")).toContainEqual([room]);
    expect(fake.argsOf("join")).toHaveLength(1);
  });

  it.each([
    [
      "https://elsewhere.example/?id=quay",
      "This link leads to elsewhere.example. Open it in the address bar.",
    ],
    [`${origin}/setting`, "This is not a room link or a room ID."],
    ["   ", "This is not a room link or a room ID."],
  ])("joins nothing by %j", async (typed, words) => {
    const { user, fake } = visit("/");
    await user.click(address());
    await user.paste(typed);
    await user.click(press("Join"));
    expect(screen.getByText(words)).not.toBeNull();
    expect(fake.argsOf("join")).toHaveLength(0);
  });

  it("asks about the servers of a pasted link first, and can go back", async () => {
    const { user, fake } = visit("/");
    await user.click(address());
    await user.paste(`${origin}/?id=quay#${stun}`);
    await user.click(press("Join"));
    expect(screen.getByRole("checkbox", { name: /stun\.example/ })).not.toBeNull();
    expect(fake.argsOf("join")).toHaveLength(0);
    await user.click(press("Not now"));
    expect(title()).toBe("Rooms between browsers");
  });

  it("goes on to the page of the room where it could not be joined", () => {
    const { fake } = visit("/");
    act(() =>
      fake.setRoom({ status: "disconnected", error: new WarrenError("password-required").describe() }),
    );
    expect(title()).toBe("Join harbour");
    expect(screen.getByLabelText("Password")).toBe(document.activeElement);
  });
});

describe("a link to a room that was not joined here before", () => {
  const link = `/?id=evil&join=true#pwd=tidal&by=${clientIdOf(1)}&${stun}`;

  it("changes nothing before the person agrees", () => {
    const { fake, allow } = visit(link, { known: true });
    expect(title()).toBe("Join evil");
    expect(fake.calls).toEqual([]);
    expect(allow).not.toHaveBeenCalled();
  });

  it("stores the room, its servers and who made it with the yes, and joins", async () => {
    const { user, fake, allow, answered } = visit(link, { known: true });
    await user.click(press("Join room"));
    expect(fake.argsOf("updateProfile")[0]).toEqual([{ roomId: "evil", password: "tidal" }]);
    expect(fake.argsOf("pinInviter")).toEqual([[clientIdOf(1)]]);
    expect(allow).toHaveBeenCalledWith("evil", { stuns: ["stun:stun.example:3478"], turns: [] });
    expect(fake.argsOf("join")).toHaveLength(1);
    expect(answered()).toBe(true);
  });

  it("is forgotten with a no, which leads to the stored room", async () => {
    const { user, fake, answered } = visit(link, { known: true });
    await user.click(press("Not now"));
    expect(title()).toBe("Join harbour");
    expect(fake.argsOf("updateProfile")).toEqual([]);
    expect(fake.argsOf("pinInviter")).toEqual([]);
    expect(answered()).toBe(true);
  });
});
