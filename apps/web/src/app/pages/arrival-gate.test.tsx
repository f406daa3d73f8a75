import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { type buildJoinLink, readJoinLink } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import type { ReactNode } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useLocation } from "wouter";
import { createStore } from "zustand/vanilla";
import type { OtherTab } from "../../platform/network/room-lock.ts";
import { useOpenLink } from "../../room/join/open-link.ts";
import { clientIdOf, fakeContact, roomWith } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { type FakePlatform, fakePlatform, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { toast } from "../../wiring/toast.ts";
import { planStartup } from "../startup/plan-startup.ts";
import type { RoomServers } from "../startup/room-servers.ts";
import type { Startup } from "../startup/use-startup.ts";
import { ArrivalGate } from "./arrival-gate.tsx";

const origin = "https://warren.example";
const outside = { status: "disconnected", error: null } as const;
const stun = `stun=${encodeURIComponent('["stun:stun.example:3478"]')}`;

/** Opens the page at an address, in a new or a returning browser. */
function visit(
  address: string,
  {
    known = false,
    fake = fakeWarren(),
    children = "The app",
    platform = fakePlatform(),
    tab = {},
  }: {
    known?: boolean;
    fake?: FakeWarren;
    children?: ReactNode;
    platform?: FakePlatform;
    /** What this tab has stored. */
    tab?: Readonly<Record<string, string>>;
  } = {},
) {
  const { profile, settings } = fake.warren;
  const plan = planStartup({
    link: readJoinLink(origin + address),
    profile: profile.get(),
    ownServers: settings.get().servers,
    known,
    roomOfTab: tab.room_of_tab ?? null,
  });
  const allow = vi.fn<RoomServers["allow"]>();
  const remove = vi.fn();
  const startup = {
    plan,
    roomServers: { allow },
    tabStorage: { read: (key: string) => tab[key] ?? null, write: () => {}, remove },
  } as unknown as Startup;
  fake.setRoom(outside);
  const view = renderWithWarren(<ArrivalGate startup={startup}>{children}</ArrivalGate>, fake, { platform });
  return { ...view, fake, allow, platform, answered: () => remove.mock.calls.length > 0 };
}

function Address() {
  return useLocation()[0];
}

const title = () => screen.getByRole("heading", { level: 1 }).textContent;
const press = (name: string) => screen.getByRole("button", { name });
const address = () => screen.getByRole("combobox", { name: "Have a link or code?" });
/** The problem reported at the field, once there is one. */
const reported = (): Promise<Element> =>
  vi.waitFor(() => {
    const alert = document.querySelector("form [role=alert]");
    if (alert === null) throw new Error("no problem is reported");
    return alert;
  });

afterEach(() => {
  toast.dismiss();
  cleanup();
});

describe("a first visit", () => {
  it("shows without a dialog what Warren is, and what is not protected", () => {
    visit("/");
    expect(title()).toBe("Send anything to anyone");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByText(/^Your data is kept only in this browser/)).not.toBeNull();
  });

  it("creates a room with one click, and copies its link", async () => {
    const { user, fake, platform } = visit("/");
    await user.click(press("New room"));
    const [[{ name }], [room]] = fake.argsOf("updateProfile") as [
      [{ name: string }],
      [Parameters<typeof buildJoinLink>[1]],
    ];
    expect(name).toBe("Okafor");
    expect(fake.argsOf("join")).toHaveLength(1);
    const read = readJoinLink(platform.written[0] ?? "");
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
    [`${origin}/setting`, "This is not a room link, a code or a room name."],
    ["   ", "This is not a room link, a code or a room name."],
  ])("does not join by %j", async (typed, words) => {
    const { user, fake } = visit("/");
    await user.click(address());
    await user.paste(typed);
    await user.click(press("Join"));
    expect(screen.getByText(words)).not.toBeNull();
    expect(fake.argsOf("join")).toHaveLength(0);
  });

  it("keeps a typed name for the people nearby, and for the next visit", async () => {
    const { user, fake } = visit("/");
    const field = screen.getByRole("textbox", { name: "Your name" });
    await user.clear(field);
    await user.type(field, "小林");
    await user.click(screen.getByRole("switch", { name: "Nearby" }));
    expect(fake.argsOf("updateProfile")).toEqual([[{ name: "小林" }]]);
  });

  it("joins by a code, with the link from the device that shows it", async () => {
    const { user, fake } = visit("/");
    let give = (_link: string) => {};
    const redeem = vi.fn(
      () =>
        new Promise<string>((resolve) => {
          give = resolve;
        }),
    );
    fake.setShortCodes({
      read: () => ["falcon", "mirror", "walrus"],
      completions: (text) => [`${text}rus`],
      redeem,
    });
    await user.type(address(), "Falcon, mirror wal");
    expect(document.querySelector("datalist option")?.getAttribute("value")).toBe("Falcon, mirror walrus");
    expect(screen.getByText("One word fits: walrus.").getAttribute("role")).toBe("status");
    await user.type(address(), "rus{Enter}");
    expect(redeem.mock.calls[0]?.slice(0, 1)).toEqual([["falcon", "mirror", "walrus"]]);
    expect(screen.getByText("Looking for the device that shows this code.")).not.toBeNull();
    expect(fake.argsOf("join")).toHaveLength(0);
    await act(async () => give(`${origin}/r/quay#tidal`));
    expect(fake.argsOf("updateProfile")).toContainEqual([{ roomId: "quay", password: "tidal" }]);
    expect(fake.argsOf("join")).toHaveLength(1);
  });

  it("names the room of a code from another address, and joins only after confirmation", async () => {
    const { user, fake } = visit("/");
    fake.setShortCodes({
      read: () => ["falcon", "mirror", "walrus"],
      completions: () => [],
      redeem: async () => "http://192.168.1.9:8080/r/quay#tidal",
    });
    await user.type(address(), "falcon mirror walrus{Enter}");
    expect((await reported()).textContent).toBe(
      "This code comes from 192.168.1.9:8080. Join only if you expected that.",
    );
    expect(fake.argsOf("join")).toHaveLength(0);
    await user.click(press("Join the room “quay”"));
    expect(fake.argsOf("updateProfile")).toContainEqual([{ roomId: "quay", password: "tidal" }]);
    expect(fake.argsOf("join")).toHaveLength(1);
  });

  it("looks a code up once, however often Enter is pressed", async () => {
    const { user, fake } = visit("/");
    const redeem = vi.fn(() => new Promise<string>(() => {}));
    fake.setShortCodes({ read: () => ["falcon", "mirror", "walrus"], completions: () => [], redeem });
    await user.type(address(), "falcon mirror walrus");
    const form = address().closest("form");
    if (form === null) throw new Error("no form");
    // Not `user`, which lets promises settle between two key presses.
    for (let times = 0; times < 2; times++) fireEvent.submit(form);
    await vi.waitFor(() => expect(redeem).toHaveBeenCalled());
    await act(async () => {});
    expect(redeem).toHaveBeenCalledTimes(1);
  });

  it.each(["code-not-found", "code-wrong"] as const)(
    "reports a problem with a code at the field: %s",
    async (code) => {
      const { user, fake } = visit("/");
      fake.setShortCodes({
        read: () => ["falcon", "mirror", "walrus"],
        completions: () => [],
        redeem: () => Promise.reject(new WarrenError(code)),
      });
      await user.type(address(), "falcon mirror walrus{Enter}");
      const alert = await reported();
      expect(alert.textContent).toMatch(code === "code-wrong" ? /^Wrong code\./ : /^No device is showing/);
      expect(address().getAttribute("aria-describedby")).toBe(alert.closest("p")?.id);
      expect(document.activeElement).toBe(address());
      const offered = screen.queryByRole("button", { name: "Join the room “falcon mirror walrus”" });
      expect(offered !== null).toBe(code === "code-not-found");
      await user.type(address(), "s");
      expect(document.querySelector("form [role=alert]")).toBeNull();
      expect(screen.queryByRole("button", { name: /^Join the room “/ })).toBeNull();
    },
  );

  it("names the invalid word of a code, and joins a room of that name only after confirmation", async () => {
    const { user, fake } = visit("/");
    fake.setShortCodes({ read: () => ({ unknown: "mirrror" }), completions: () => [] });
    await user.type(address(), "falcon mirrror walrus{Enter}");
    expect((await reported()).textContent).toBe(
      "“mirrror” is not a code word. Check the spelling on the other device.",
    );
    expect(fake.argsOf("join")).toHaveLength(0);
    await user.click(press("Join the room “falcon mirrror walrus”"));
    expect(fake.argsOf("updateProfile")).toContainEqual([
      { roomId: "falcon mirrror walrus", password: null },
    ]);
    expect(fake.argsOf("join")).toHaveLength(1);
  });

  it("joins the room whose ID is three words that are not a code", async () => {
    const { user, fake } = visit("/");
    fake.setShortCodes({ read: () => null, completions: () => [] });
    await user.type(address(), "team lunch friday{Enter}");
    await vi.waitFor(() => expect(fake.argsOf("join")).toHaveLength(1));
    expect(fake.argsOf("updateProfile")).toContainEqual([{ roomId: "team lunch friday", password: null }]);
  });

  it("cancels the lookup when the code is changed", async () => {
    const { user, fake } = visit("/");
    let calledOff: AbortSignal | undefined;
    fake.setShortCodes({
      read: () => ["falcon", "mirror", "walrus"],
      completions: () => [],
      redeem: (_words, signal) => {
        calledOff = signal;
        return new Promise(() => {});
      },
    });
    await user.type(address(), "falcon mirror walrus{Enter}");
    expect(calledOff?.aborted).toBe(false);
    await user.type(address(), "x");
    expect(calledOff?.aborted).toBe(true);
    expect(screen.queryByText("Looking for the device that shows this code.")).toBeNull();
  });

  it("first asks about the servers of a pasted link, and can go back", async () => {
    const { user, fake } = visit("/");
    await user.click(address());
    await user.paste(`${origin}/?id=quay#${stun}`);
    await user.click(press("Join"));
    expect(screen.getByRole("checkbox", { name: /stun\.example/ })).not.toBeNull();
    expect(fake.argsOf("join")).toHaveLength(0);
    await user.click(press("Not now"));
    expect(title()).toBe("Send anything to anyone");
  });

  it("opens the page of a room that could not be joined", () => {
    const { fake } = visit("/");
    act(() =>
      fake.setRoom({ status: "disconnected", error: new WarrenError("password-required").describe() }),
    );
    expect(title()).toBe("Join harbour");
    expect(screen.getByLabelText("Password")).toBe(document.activeElement);
  });
});

const link = `/?id=evil&join=true#pwd=tidal&by=${clientIdOf(1)}&${stun}`;

describe("a link to a room that was not joined before", () => {
  it("changes nothing before confirmation", () => {
    const { fake, allow } = visit(link, { known: true });
    expect(title()).toBe("Join evil");
    expect(fake.calls).toEqual([]);
    expect(allow).not.toHaveBeenCalled();
  });

  it("stores the room, its servers and its creator on confirmation, and joins", async () => {
    const { user, fake, allow, answered } = visit(link, { known: true });
    await user.click(press("Join room"));
    expect(fake.argsOf("updateProfile")[0]).toEqual([{ roomId: "evil", password: "tidal" }]);
    expect(fake.argsOf("pinInviter")).toEqual([[clientIdOf(1)]]);
    expect(allow).toHaveBeenCalledWith("evil", { stuns: ["stun:stun.example:3478"], turns: [] });
    expect(fake.argsOf("join")).toHaveLength(1);
    expect(answered()).toBe(true);
  });

  it("is in the address with its confirmation", async () => {
    const { user, fake } = visit(link, { known: true, children: <Address /> });
    await user.click(press("Join room"));
    act(() => fake.setRoom(roomWith([])));
    expect(screen.getByText("/r/evil")).not.toBeNull();
  });

  it("is discarded on refusal, which opens the stored room", async () => {
    const { user, fake, answered } = visit(link, { known: true });
    await user.click(press("Not now"));
    expect(title()).toBe("Join harbour");
    expect(fake.argsOf("updateProfile")).toEqual([]);
    expect(fake.argsOf("pinInviter")).toEqual([]);
    expect(answered()).toBe(true);
  });
});

describe("a tab of which another one is in a room", () => {
  const elsewhere = { status: "there", roomId: "harbour" } as const;
  const device = () => {
    const other = createStore<OtherTab>(() => elsewhere);
    const takeOver = vi.fn();
    return { ...fakePlatform(), roomLock: { other, takeOver, watch: () => () => {} }, takeOver };
  };

  it("says so in one sentence, with one button", async () => {
    const other = device();
    const { user, fake } = visit("/", { known: true, platform: other });
    expect(title()).toBe("harbour is open in another tab.");
    expect(screen.queryByRole("textbox")).toBeNull();
    await user.click(press("Use here"));
    expect(other.takeOver).toHaveBeenCalledTimes(1);
    expect(fake.argsOf("join")).toHaveLength(1);
  });

  it("asks about a link to another room first", async () => {
    const { user } = visit(link, { known: true, platform: device() });
    expect(title()).toBe("Join evil");
    await user.click(press("Not now"));
    expect(title()).toBe("harbour is open in another tab.");
  });
});

describe("a tab that was in a room", () => {
  it("is back there, on its page, after a link to another one was declined", async () => {
    const fake = fakeWarren();
    fake.setChat({ contacts: { [clientIdOf(1)]: fakeContact(1, "Mara") } });
    const page = `/client/${clientIdOf(1)}/chat`;
    const tab = { room_of_tab: "harbour", page_of_tab: page };
    const { user } = visit(link, { known: true, fake, tab, children: <Address /> });
    await user.click(press("Not now"));
    expect(fake.argsOf("join")).toHaveLength(1);
    expect(fake.argsOf("updateProfile")).toEqual([[{ initialJoin: false }]]);
    expect(screen.getByText(page)).not.toBeNull();
  });
});

describe("a link that is opened in a room", () => {
  it.each([
    ["with another name", "/r/quay#tidal", { roomId: "quay", password: "tidal" }],
    [
      "of a room that is kept here, without its password",
      "/r/burrow",
      { roomId: "burrow", password: "kept" },
    ],
  ])("leads out of that room: %s", async (_name, link, room) => {
    const fake = fakeWarren();
    const { user } = visit("/", { known: true, fake, children: <Opener link={origin + link} /> });
    const burrow = {
      id: "burrow",
      tag: "burrow-".padEnd(43, "x"),
      password: "kept",
      firstVisit: 0,
      lastVisit: 0,
    };
    act(() => {
      fake.setRooms([burrow]);
      fake.setRoom(roomWith([]));
    });
    await user.click(press("Open"));
    await vi.waitFor(() => expect(fake.argsOf("join")).toHaveLength(1));
    const verbs = fake.calls.map(({ verb }) => verb);
    expect(verbs.indexOf("leave")).toBeGreaterThan(-1);
    expect(verbs.indexOf("leave")).toBeLessThan(verbs.indexOf("join"));
    expect(fake.argsOf("updateProfile")).toContainEqual([room]);
  });

  it("with servers leaves the room for the page that asks about them", async () => {
    const fake = fakeWarren();
    const { user } = visit("/", {
      known: true,
      fake,
      children: <Opener link={`${origin}/?id=quay&${stun}`} />,
    });
    act(() => fake.setRoom(roomWith([])));
    await user.click(press("Open"));
    await vi.waitFor(() => expect(fake.argsOf("leave")).toHaveLength(1));
    expect(fake.argsOf("join")).toEqual([]);
  });
});

function Opener({ link }: { readonly link: string }) {
  const openLink = useOpenLink();
  return (
    <button type="button" onClick={() => openLink(readJoinLink(link))}>
      Open
    </button>
  );
}
