import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import type { PeerMessage } from "@warren/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Route, useLocation } from "wouter";
import { remoteSource } from "../testing/fake-call.ts";
import { type FakeMedia, fakeMedia } from "../testing/fake-media.ts";
import { clientIdOf, fakePeer, me, roomWith } from "../testing/fake-records.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import type { LocalMedia } from "../wiring/platform-context.ts";
import { toast } from "../wiring/toast.ts";
import CallBackground from "./call-background.tsx";
import CallPage from "./call-page.tsx";
import CallTile from "./call-tile.tsx";

// happy-dom has no layout.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1344);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(700);
});

/** The properties that {@link define} replaced. */
const defined: { object: object; name: string; before: PropertyDescriptor | undefined }[] = [];

afterEach(() => {
  vi.restoreAllMocks();
  cleanup();
  for (const { object, name, before } of defined.splice(0)) {
    if (before === undefined) Reflect.deleteProperty(object, name);
    else Object.defineProperty(object, name, before);
  }
});

const mara = clientIdOf(1);
const jun = clientIdOf(2);
const devices = () =>
  fakeMedia([
    { kind: "audioinput", deviceId: "desk", label: "Desk" },
    { kind: "videoinput", deviceId: "front", label: "Front" },
  ]);

function Address() {
  return <output aria-label="Address">{useLocation()[0]}</output>;
}

const address = () => screen.getByRole("status", { name: "Address" }).textContent;

interface Setting {
  readonly media?: FakeMedia | Partial<LocalMedia> | null;
  readonly path?: string;
}

/** Opens the stage, or another page with the bar, with Mara in the room. */
async function open({ media = devices(), path = "/video" }: Setting = {}) {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist"), fakePeer(2, "Jun Park")]));
  await fake.warren.call.open();
  const platform = { ...fakePlatform(), media: media as unknown as LocalMedia | null };
  const page = (
    <>
      <CallBackground call={fake.call.call} />
      <CallTile call={fake.call.call} />
      <Route path="/video">
        <CallPage conversation={(id) => <p>{`Conversation with ${id}`}</p>} />
      </Route>
      <Address />
    </>
  );
  return { fake, call: fake.call, ...renderWithWarren(page, fake, { path, platform }) };
}

const control = (name: string) =>
  within(screen.getByRole("toolbar", { name: "Call controls" })).getByRole("button", { name });
const local = (call: Awaited<ReturnType<typeof open>>["call"]) =>
  call.call.store.getState().local.map(({ kind, muted }) => (muted ? `${kind}, muted` : kind));

describe("the stage", () => {
  it("says No Support outside a secure context", async () => {
    await open({ media: null });
    expect(screen.getByRole("heading", { name: "No Support" })).not.toBeNull();
    expect(screen.getByText(/^Please use this function in a secure context/)).not.toBeNull();
    expect(screen.queryByRole("toolbar", { name: "Call controls" })).toBeNull();
  });

  it("says No Stream while nobody shares anything, and plays no sound unasked", async () => {
    const { call } = await open();
    expect(screen.getByRole("heading", { name: "No Stream" })).not.toBeNull();
    expect(screen.queryByText("Nobody sees or hears you.")).toBeNull();
    expect(control("Close")).not.toBeNull();
    act(() => call.set({ remote: [remoteSource({ from: mara, kind: "microphone" })] }));
    expect(control("Leave")).not.toBeNull();
    expect(call.call.store.getState()).toMatchObject({ isVideoEnabled: true, isAudioEnabled: false });
  });

  it("starts microphone and camera with one click each, and stops them with another", async () => {
    const media = devices();
    const { call, user } = await open({ media });
    await user.click(control("Mic"));
    await waitFor(() => expect(local(call)).toEqual(["microphone"]));
    expect(media.asked).toMatchObject([{ audio: { noiseSuppression: true } }]);
    // Starting to speak also enables sound.
    expect(call.call.store.getState().isAudioEnabled).toBe(true);
    await user.click(control("Camera"));
    await waitFor(() => expect(local(call)).toEqual(["microphone", "camera"]));
    expect(media.asked.at(-1)).toMatchObject({ video: { height: { ideal: 720 } } });
    await user.click(control("Mic"));
    expect(local(call)).toEqual(["microphone, muted", "camera"]);
    expect(control("Mic").getAttribute("aria-pressed")).toBe("false");
    expect(control("Camera").getAttribute("aria-pressed")).toBe("true");
    await user.click(control("Camera"));
    expect(media.open()).toEqual(["audio"]);
    await user.click(control("Leave"));
    expect(media.open()).toEqual([]);
    expect(call.call.store.getState()).toMatchObject({ isVideoEnabled: false, isAudioEnabled: false });
  });

  it("has the other's name in a call of two, else the room's", async () => {
    const { fake } = await open();
    const title = screen.getByRole("heading", { level: 1 });
    const room = title.textContent;
    act(() => fake.warren.call.ringing.ring([mara], { video: false, toRoom: true }));
    expect(title.textContent).toBe(room);
    act(() => fake.warren.call.ringing.ring([mara], { video: false, toRoom: false }));
    expect(title.textContent).toBe("Mara Lindqvist");
  });

  it("fills the stage of a call of two with the other one, and says how it goes and how long it lasts", async () => {
    const { call, fake, user } = await open();
    act(() => fake.warren.call.ringing.ring([mara], { video: false, toRoom: false }));
    expect(control("Cancel")).not.toBeNull();
    const line = (role: string) => within(screen.getByRole("banner")).queryByRole(role)?.textContent;
    expect(screen.getByText("Calling Mara…").getAttribute("role")).toBe("status");
    expect(screen.queryByRole("heading", { name: "No Stream" })).toBeNull();
    const [, { id }] = fake.argsOf("sendRing").at(-1) as readonly [string, PeerMessage];
    const answer = {
      type: "ring-answer",
      id,
      client: mara,
      target: me,
      createdAt: 0,
      answer: "join",
    } as const;
    act(() => fake.warren.call.ringing.receive(mara, answer));
    expect(screen.getByText("Connecting…")).not.toBeNull();
    await user.click(control("Camera"));
    await waitFor(() => expect(local(call)).toEqual(["camera"]));
    const voice = remoteSource({ from: mara, kind: "microphone" });
    act(() => call.set({ remote: [voice], sinceMs: Date.now() - 3_725_000 }));
    expect(screen.queryByText("Connecting…")).toBeNull();
    expect(line("timer")).toBe("1:02:05");
    expect(control("Leave")).not.toBeNull();
    // The title names her, and she is large already.
    expect(screen.getAllByText("Mara Lindqvist")).toHaveLength(1);
    expect(screen.queryByRole("button", { name: "Enlarge: Mara Lindqvist" })).toBeNull();
    const mine = screen.getByRole("button", { name: "Enlarge: You" });
    const corner = () => mine.closest<HTMLElement>("[data-corner]")?.dataset.corner;
    expect(corner()).toBe("bottom-right");
    mine.focus();
    await user.keyboard("{ArrowUp}{ArrowLeft}");
    expect(corner()).toBe("top-left");
    act(() => call.set({ remote: [voice, remoteSource({ from: jun, kind: "microphone" })] }));
    expect(screen.getByRole("button", { name: "Enlarge: Mara Lindqvist" })).not.toBeNull();
    expect(corner()).toBeUndefined();
  });

  it("leads back to the conversation it was opened from", async () => {
    const { call, user } = await open({ path: "/client/mara/chat" });
    act(() => call.set({ remote: [remoteSource({ from: mara, kind: "camera" })] }));
    await user.click(await screen.findByRole("button", { name: "Watch" }));
    expect(address()).toBe("/video");
    await user.click(control("Leave"));
    expect(address()).toBe("/client/mara/chat");
  });

  it("opens a device only once, however often its button is clicked meanwhile", async () => {
    const media = devices();
    const answer = media.hold();
    const { call, user } = await open({ media });
    await user.click(control("Camera"));
    await user.click(control("Camera"));
    answer();
    await waitFor(() => expect(local(call)).toEqual(["camera"]));
    expect(media.asked).toHaveLength(1);
  });

  it.each([
    [
      "NotAllowedError",
      "The browser does not allow the camera. Allow it in the browser's settings for this page, then retry.",
    ],
    ["NotFoundError", "No camera found. Connect one to use it."],
    [
      "NotReadableError",
      "The camera is in use elsewhere. Close the program or tab that uses it, then retry.",
    ],
    ["TypeError", "The camera did not start. Retry, or choose another one."],
  ])("explains a %s, and offers to choose a device", async (name, words) => {
    const media = devices();
    media.fail("video", name);
    const { user } = await open({ media });
    await user.click(control("Camera"));
    expect(await screen.findByText("The camera is off")).not.toBeNull();
    expect(screen.getByText(words)).not.toBeNull();
    expect(screen.getByRole("button", { name: "Choose devices" })).not.toBeNull();
  });

  it("remembers the quality of a camera and a screen", async () => {
    const media = Object.assign(devices(), { getDisplayMedia: async () => screenStream("Plan") });
    const { call, fake, user } = await open({ media });
    await user.click(control("Camera"));
    await user.click(control("Call settings"));
    await user.click(await screen.findByRole("menuitemradio", { name: "High, 1080p" }));
    expect(fake.warren.settings.get().cameraPreset).toBe("high");
    await user.keyboard("{Escape}");
    await user.click(control("Camera"));
    await user.click(control("Camera"));
    await waitFor(() => expect(call.call.store.getState().local).toMatchObject([{ preset: "high" }]));
    await user.click(control("Share screen"));
    await user.click(await screen.findByRole("menuitem", { name: "Share a screen, sharp text" }));
    await waitFor(() => expect(local(call)).toEqual(["camera", "screen"]));
    call.call.stop(call.call.store.getState().local[1]?.id ?? "");
    await user.keyboard("s");
    await waitFor(() =>
      expect(call.call.store.getState().local).toMatchObject([{ kind: "camera" }, { preset: "text" }]),
    );
  });

  it("says before the picker opens that there is no sound, also when a shortcut opens it", async () => {
    const getDisplayMedia = vi.fn(async () => {
      expect(screen.queryByText("This browser shares the picture without sound.")).not.toBeNull();
      return screenStream("Plan");
    });
    const { call, user } = await open({ media: Object.assign(devices(), { getDisplayMedia }) });
    await user.keyboard("s");
    await waitFor(() => expect(local(call)).toEqual(["screen"]));
    expect(getDisplayMedia).toHaveBeenCalledOnce();
  });

  it("disables sharing if the browser cannot share screens", async () => {
    const { user } = await open({
      media: { enumerateDevices: async () => [], addEventListener() {}, removeEventListener() {} },
    });
    const share = control("Share screen");
    expect(share.getAttribute("aria-disabled")).toBe("true");
    await user.click(share);
    expect(screen.queryByRole("menu")).toBeNull();
  });

  it("shares screens by kind of content, says that there is no sound, and stops each one separately", async () => {
    const streams = ["Plan", "Film"].map((label) => screenStream(label));
    const media = Object.assign(devices(), { getDisplayMedia: vi.fn(async () => streams.shift()) });
    const { call, user } = await open({ media });
    await user.click(control("Share screen"));
    expect(await screen.findByText("This browser shares the picture without sound.")).not.toBeNull();
    await user.click(screen.getByRole("menuitem", { name: "Share a screen, sharp text" }));
    await waitFor(() =>
      expect(call.call.store.getState().local).toMatchObject([{ kind: "screen", preset: "text" }]),
    );
    await user.click(control("Share screen"));
    await user.click(await screen.findByRole("menuitem", { name: "Share a screen, smooth video" }));
    await waitFor(() => expect(local(call)).toEqual(["screen", "screen"]));
    await user.click(control("Share screen"));
    await user.click(await screen.findByRole("menuitem", { name: "Stop screen 1" }));
    expect(call.call.store.getState().local).toMatchObject([{ label: "Film" }]);
  });

  it("plays nothing until Listen is clicked", async () => {
    const { call, user } = await open();
    act(() => call.set({ remote: [remoteSource({ from: mara, kind: "microphone" })] }));
    expect(screen.getByText("You hear nothing until you press Listen.")).not.toBeNull();
    await user.click(screen.getByRole("button", { name: "Listen" }));
    expect(call.call.store.getState().isAudioEnabled).toBe(true);
    expect(screen.queryByText("You hear nothing until you press Listen.")).toBeNull();
  });

  it("counts the people in the call, not those in the room", async () => {
    const { call, fake, user } = await open();
    act(() => fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist"), fakePeer(2, "Noor Haddad")])));
    expect(screen.queryByText("Nobody else is in the call")).toBeNull();
    act(() =>
      call.set({
        remote: [
          remoteSource({ from: mara, kind: "camera" }),
          remoteSource({ from: mara, kind: "microphone" }),
        ],
      }),
    );
    expect(screen.getByText("2 people")).not.toBeNull();
    // Noor only watches.
    await user.click(control("Camera"));
    await waitFor(() => expect(local(call)).toEqual(["camera"]));
    const watchers = [mara, clientIdOf(2)];
    act(() => call.set({ local: call.call.store.getState().local.map((one) => ({ ...one, watchers })) }));
    expect(screen.getByText("3 people")).not.toBeNull();
  });

  it("enlarges a screen with faces beside it, and shows all again on request", async () => {
    const { call, user } = await open();
    act(() =>
      call.set({
        remote: [
          remoteSource({ from: mara, kind: "camera" }),
          remoteSource({ from: mara, kind: "microphone", muted: true }),
          remoteSource({ from: mara, kind: "screen", label: "Harbour plan" }),
        ],
      }),
    );
    expect(screen.getByText("2 people, Mara is sharing a screen")).not.toBeNull();
    expect(screen.getByRole("group", { name: "Screen of Mara" })).not.toBeNull();
    expect(screen.getByText("Harbour plan")).not.toBeNull();
    expect(screen.getByRole("img", { name: "Muted" })).not.toBeNull();
    await user.click(screen.getByRole("button", { name: "Show all" }));
    await user.click(screen.getByRole("button", { name: "Enlarge screen" }));
    expect(screen.getByRole("group", { name: "Screen of Mara" })).not.toBeNull();
  });

  it("keeps the focused screen when someone shares another", async () => {
    const { call } = await open();
    const [one, two] = ["one", "two"].map((id) =>
      remoteSource({ from: mara, kind: "screen", id, label: id }),
    );
    if (!one || !two) throw new Error("no screens");
    const large = () => within(screen.getByRole("group", { name: "Screen of Mara" }));
    act(() => call.set({ remote: [one] }));
    expect(large().getByText("one")).not.toBeNull();
    act(() => call.set({ remote: [one, two] }));
    expect(large().getByText("one")).not.toBeNull();
    act(() => call.set({ remote: [two] }));
    expect(large().getByText("two")).not.toBeNull();
  });

  it.each([
    ["Paused by you", { paused: true }],
    ["Waiting for Mara", { track: null }],
    ["Mara turned it off", { muted: true, track: {} as MediaStreamTrack }],
    ["Frozen. Mara may have lost the connection.", { reception: "frozen", track: {} as MediaStreamTrack }],
    ["The connection to Mara is weak", { reception: "weak", track: {} as MediaStreamTrack }],
  ] as const)("shows the state of a picture: %s", async (words, change) => {
    const { call } = await open();
    act(() => call.set({ remote: [remoteSource({ from: mara, kind: "screen", ...change })] }));
    expect(screen.getAllByText(words).length).toBeGreaterThan(0);
  });

  it("sets each person's volume, and pauses a picture for me only", async () => {
    const { call, user } = await open();
    act(() =>
      call.set({
        remote: [
          remoteSource({ from: mara, kind: "camera" }),
          remoteSource({ from: mara, kind: "microphone" }),
        ],
      }),
    );
    act(() =>
      call.set({
        remote: [remoteSource({ from: mara, kind: "screen" }), ...call.call.store.getState().remote],
      }),
    );
    await user.click(screen.getByRole("button", { name: "Options: Mara Lindqvist" }));
    const panel = within(await screen.findByRole("dialog", { name: "Options: Mara Lindqvist" }));
    await user.click(panel.getByRole("button", { name: "Mute for me" }));
    const { remote } = call.call.store.getState();
    expect(remote.find(({ kind }) => kind === "microphone")?.volume).toBe(0);
    expect(panel.getByRole("slider", { name: "Volume" }).getAttribute("aria-valuetext")).toBe("0%");
    await user.click(panel.getByRole("button", { name: "Pause for me" }));
    expect(call.call.store.getState().remote.find(({ kind }) => kind === "camera")?.paused).toBe(true);
  });

  it("shows who is watching", async () => {
    const { call, user } = await open();
    await user.click(control("Camera"));
    await waitFor(() => expect(local(call)).toEqual(["camera"]));
    act(() =>
      call.set({ local: call.call.store.getState().local.map((one) => ({ ...one, watchers: [mara] })) }),
    );
    expect(screen.getByText("Mara is watching")).not.toBeNull();
  });

  it("is controlled by M, V and the space bar", async () => {
    const { call, user } = await open();
    await user.keyboard("m");
    await waitFor(() => expect(local(call)).toEqual(["microphone"]));
    await user.keyboard("m");
    expect(local(call)).toEqual(["microphone, muted"]);
    await user.keyboard("{ >}");
    expect(local(call)).toEqual(["microphone"]);
    await user.keyboard("{/ }");
    expect(local(call)).toEqual(["microphone, muted"]);
    await user.keyboard("v");
    await waitFor(() => expect(local(call)).toEqual(["microphone, muted", "camera"]));
    await user.keyboard("v");
    expect(local(call)).toEqual(["microphone, muted"]);
  });
});

describe("a peer whose browser cannot receive what I share", () => {
  it("is named only once, however often the connection breaks, and only while I share", async () => {
    const { call, fake, user } = await open();
    const error = { code: "media-refused", values: {} } as const;
    const breaks = (): void => {
      act(() => fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")])));
      act(() =>
        fake.setRoom(roomWith([{ ...fakePeer(1, "Mara Lindqvist"), session: "reconnecting", error }])),
      );
    };
    breaks();
    expect(screen.queryByText("Mara cannot receive what you share")).toBeNull();
    await user.click(control("Camera"));
    await waitFor(() => expect(local(call)).toEqual(["camera"]));
    breaks();
    expect(await screen.findByText("Mara cannot receive what you share")).not.toBeNull();
    toast.dismiss();
    await waitFor(() => expect(screen.queryByText("Mara cannot receive what you share")).toBeNull());
    breaks();
    expect(screen.queryByText("Mara cannot receive what you share")).toBeNull();
  });
});

describe("devices during a call", () => {
  it("report when they are unplugged, and resume when they are back", async () => {
    const media = devices();
    const { call, user } = await open({ media });
    await user.click(control("Mic"));
    await waitFor(() => expect(local(call)).toEqual(["microphone"]));
    const [source] = call.call.store.getState().local;
    if (source === undefined) throw new Error("no microphone");
    media.unplug("desk");
    act(() => {
      call.set({ local: [{ ...source, lost: true }] });
      call.emit("ended", source);
    });
    expect(await screen.findByText("Microphone disconnected")).not.toBeNull();
    media.plugIn({ kind: "audioinput", deviceId: "headset", label: "Headset" });
    expect(await screen.findByText("The microphone is back")).not.toBeNull();
    expect(call.call.store.getState().local).toMatchObject([{ label: "Headset", lost: false }]);
  });

  it("are offered when plugged in, and used only on request", async () => {
    const media = devices();
    const { call, fake, user } = await open({ media });
    await user.click(control("Mic"));
    await waitFor(() => expect(local(call)).toEqual(["microphone"]));
    media.plugIn({ kind: "audioinput", deviceId: "studio", label: "Studio" });
    expect(await screen.findByText("Studio connected")).not.toBeNull();
    expect(call.call.store.getState().local).toMatchObject([{ label: "Desk" }]);
    await user.click(screen.getByRole("button", { name: "Use it" }));
    expect(fake.warren.settings.get().microphoneId).toBe("studio");
    await waitFor(() => expect(call.call.store.getState().local).toMatchObject([{ label: "Studio" }]));
  });
});

describe("the tile on other pages", () => {
  it("offers to join a call that goes on, or only to listen", async () => {
    const { call, user } = await open({ path: "/" });
    const theirs = { remote: [remoteSource({ from: mara, kind: "microphone" })] };
    act(() => call.set(theirs));
    const tile = within(screen.getByRole("region", { name: "Call" }));
    await user.click(tile.getByRole("button", { name: "Listen" }));
    expect(call.call.store.getState()).toMatchObject({ isAudioEnabled: true, local: [] });
    await user.click(tile.getByRole("button", { name: "Leave" }));
    act(() => call.set(theirs));
    await user.click(tile.getByRole("button", { name: "Join" }));
    await waitFor(() => expect(local(call)).toEqual(["microphone"]));
    expect(call.call.store.getState()).toMatchObject({ isAudioEnabled: true, audience: null });
  });

  it("joins with the camera a call that has pictures", async () => {
    const { call, user } = await open({ path: "/" });
    act(() =>
      call.set({
        remote: [
          remoteSource({ from: mara, kind: "microphone" }),
          remoteSource({ from: mara, kind: "camera" }),
        ],
      }),
    );
    await user.click(screen.getByRole("button", { name: "Join" }));
    await waitFor(() => expect(local(call)).toEqual(["microphone", "camera"]));
  });

  it("shows what others share, and shows it on request", async () => {
    const { call, user } = await open({ path: "/" });
    expect(screen.queryByRole("region", { name: "Call" })).toBeNull();
    act(() =>
      call.set({
        remote: [
          remoteSource({ from: mara, kind: "microphone" }),
          remoteSource({ from: mara, kind: "screen", track: screenStream("Plan").getTracks()[0] ?? null }),
        ],
      }),
    );
    const tile = within(screen.getByRole("region", { name: "Call" }));
    expect(tile.getByText("Mara is in a call")).not.toBeNull();
    expect(tile.getByText("Mara is sharing a screen")).not.toBeNull();
    act(() => call.set({ isAudioEnabled: true }));
    // To hear somebody is not to see their screen.
    expect(document.querySelector("video")).toBeNull();
    expect(tile.getByRole("button", { name: "Watch" })).not.toBeNull();
    await user.click(tile.getByRole("button", { name: "Leave" }));
    expect(call.call.store.getState().isAudioEnabled).toBe(false);
  });

  it("shows who spoke last, and a screen before them", async () => {
    const { call } = await open({ path: "/" });
    const voice = remoteSource({ from: mara, kind: "microphone" });
    const junVoice = remoteSource({ from: jun, kind: "microphone" });
    act(() => call.set({ isAudioEnabled: true, isVideoEnabled: true, remote: [voice, junVoice] }));
    const tile = within(screen.getByRole("region", { name: "Call" }));
    expect(tile.getByText("Mara Lindqvist")).not.toBeNull();
    act(() => call.set({ speaking: [junVoice.key] }));
    expect(tile.getByText("Jun Park")).not.toBeNull();
    act(() => call.set({ speaking: [] }));
    expect(tile.getByText("Jun Park")).not.toBeNull();
    act(() => call.set({ remote: [voice, junVoice, remoteSource({ from: mara, kind: "screen" })] }));
    expect(tile.getByText("Screen of Mara")).not.toBeNull();
  });

  it("is moved with the arrow keys, and made larger", async () => {
    const { call, user } = await open({ path: "/" });
    act(() => call.set({ isAudioEnabled: true, remote: [remoteSource({ from: mara, kind: "microphone" })] }));
    const tile = () => screen.getByRole("region", { name: "Call" });
    expect(tile().dataset.corner).toBe("bottom-left");
    screen.getByRole("button", { name: "Move the call" }).focus();
    await user.keyboard("{ArrowUp}{ArrowRight}");
    expect(tile().dataset.corner).toBe("top-right");
    await user.click(screen.getByRole("button", { name: "Larger" }));
    expect(screen.getByRole("button", { name: "Smaller" })).not.toBeNull();
  });

  it("is a bar that leads back where there is little space", async () => {
    vi.spyOn(window, "matchMedia").mockImplementation(
      (query) =>
        ({ matches: query.includes("48rem"), addEventListener() {}, removeEventListener() {} }) as never,
    );
    const { call, user } = await open({ path: "/" });
    act(() => call.set({ isAudioEnabled: true, remote: [remoteSource({ from: mara, kind: "microphone" })] }));
    const bar = within(screen.getByRole("region", { name: "Call" }));
    expect(bar.getByText("Mara Lindqvist")).not.toBeNull();
    expect(bar.queryByRole("button", { name: "Move the call" })).toBeNull();
    await user.click(bar.getByRole("link", { name: /Back to call$/ }));
    expect(address()).toBe("/video");
  });

  it("shows which screen I share and with whom, mutes me, stops it and leaves", async () => {
    const media = Object.assign(devices(), { getDisplayMedia: async () => screenStream("Plan") });
    const { call, user } = await open({ media, path: "/file" });
    const track = (await media.getUserMedia({ audio: true })).getTracks()[0];
    const picture = screenStream("Plan").getTracks()[0];
    if (track === undefined || picture === undefined) throw new Error("no tracks");
    act(() => {
      call.call.share({ kind: "microphone", track });
      call.call.share({ kind: "screen", track: picture });
      call.set({ local: call.call.store.getState().local.map((one) => ({ ...one, watchers: [mara] })) });
    });
    const bar = within(screen.getByRole("region", { name: "Call" }));
    expect(bar.getByText("You are sharing a screen with Mara")).not.toBeNull();
    await user.keyboard("m");
    expect(bar.getByRole("button", { name: "Mic" }).getAttribute("aria-pressed")).toBe("false");
    const [stop] = bar.getAllByRole("button", { name: "Stop sharing" });
    if (stop === undefined) throw new Error("no button");
    await user.click(stop);
    expect(local(call)).toEqual(["microphone, muted"]);
    expect(bar.getByText("With Mara")).not.toBeNull();
    await user.click(bar.getByRole("button", { name: "Leave" }));
    expect(address()).toBe("/file");
    expect(media.open()).toEqual([]);
    expect(screen.queryByRole("region", { name: "Call" })).toBeNull();
  });
});

describe("a focused screen", () => {
  /** A large screen shared by Mara, in a browser with these properties. */
  async function openScreen(abilities: Record<string, unknown>) {
    for (const [name, value] of Object.entries(abilities)) define(document, name, value);
    const opened = await open();
    const source = remoteSource({ from: mara, kind: "screen", track: pictureTrack() });
    act(() => opened.call.set({ remote: [source] }));
    const tile = screen.getByRole("group", { name: "Screen of Mara" });
    const video = tile.querySelector("video");
    if (video === null) throw new Error("no picture");
    return { ...opened, source, tile, video };
  }

  it("enters and leaves full screen, also by Escape", async () => {
    const change = (element: Element | null): void => {
      define(document, "fullscreenElement", element);
      act(() => void document.dispatchEvent(new Event("fullscreenchange")));
    };
    const { user, tile } = await openScreen({
      fullscreenEnabled: true,
      fullscreenElement: null,
      exitFullscreen: async () => change(null),
    });
    define(tile, "requestFullscreen", async () => change(tile));
    await user.click(screen.getByRole("button", { name: "Full screen" }));
    expect(document.fullscreenElement).toBe(tile);
    await user.click(screen.getByRole("button", { name: "Exit full screen" }));
    expect(document.fullscreenElement).toBe(null);
    await user.click(screen.getByRole("button", { name: "Full screen" }));
    change(null);
    expect(screen.getByRole("button", { name: "Full screen" })).not.toBeNull();
  });

  it("enters and leaves picture-in-picture, where it stays requested while the page is hidden", async () => {
    const change = (element: Element | null, type: string): void => {
      define(document, "pictureInPictureElement", element);
      act(() => void video.dispatchEvent(new Event(type)));
    };
    const { call, user, video, source } = await openScreen({
      pictureInPictureEnabled: true,
      pictureInPictureElement: null,
      exitPictureInPicture: async () => change(null, "leavepictureinpicture"),
    });
    define(video, "requestPictureInPicture", async () => change(video, "enterpictureinpicture"));
    const hide = (isHidden: boolean): void => {
      define(document, "visibilityState", isHidden ? "hidden" : "visible");
      act(() => void document.dispatchEvent(new Event("visibilitychange")));
    };
    expect(call.shown.has(source.key)).toBe(true);
    hide(true);
    expect(call.shown.has(source.key)).toBe(false);
    hide(false);
    const toggle = screen.getByRole("button", { name: "Picture in picture" });
    await user.click(toggle);
    expect(document.pictureInPictureElement).toBe(video);
    hide(true);
    expect(call.shown.has(source.key)).toBe(true);
    hide(false);
    await user.click(toggle);
    expect(document.pictureInPictureElement).toBe(null);
    hide(true);
    expect(call.shown.has(source.key)).toBe(false);
  });

  it("opens in a window with its name and state, if the browser supports it", async () => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    const own = frame.contentWindow as unknown as Window;
    define(own, "close", () => own.dispatchEvent(new Event("pagehide")));
    define(globalThis, "documentPictureInPicture", { requestWindow: vi.fn(async () => own) });
    const { call, user, source } = await openScreen({ pictureInPictureEnabled: false });
    const toggle = screen.getByRole("button", { name: "Picture in picture" });
    await user.click(toggle);
    const inside = within(own.document.body);
    expect(await inside.findByText("Screen of Mara")).not.toBeNull();
    expect(inside.getByLabelText("Screen of Mara").tagName).toBe("VIDEO");
    define(document, "visibilityState", "hidden");
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
    expect(call.shown.has(source.key)).toBe(true);
    act(() => call.set({ remote: [{ ...source, reception: "frozen" }] }));
    expect(inside.getByText("Frozen. Mara may have lost the connection.")).not.toBeNull();
    await user.click(toggle);
    expect(inside.queryByText("Screen of Mara")).toBeNull();
    expect(call.shown.has(source.key)).toBe(false);
    await user.click(toggle);
    expect(await inside.findByText("Screen of Mara")).not.toBeNull();
    act(() => call.set({ remote: [] }));
    expect(inside.queryByText("Screen of Mara")).toBeNull();
    frame.remove();
  });

  it("stays in place if the browser refuses a window, and hides unsupported actions", async () => {
    const { user, video } = await openScreen({
      pictureInPictureEnabled: true,
      pictureInPictureElement: null,
      fullscreenEnabled: false,
    });
    const refuse = vi.fn(() => Promise.reject(new DOMException("no", "NotAllowedError")));
    define(video, "requestPictureInPicture", refuse);
    await user.click(screen.getByRole("button", { name: "Picture in picture" }));
    expect(refuse).toHaveBeenCalledOnce();
    expect(screen.queryByRole("button", { name: "Full screen" })).toBeNull();
  });
});

describe("the wake lock", () => {
  it("is held only while a picture is watched", async () => {
    const locks: { released: boolean; release(): Promise<void> }[] = [];
    define(navigator, "wakeLock", {
      request: async () => {
        const lock = {
          released: false,
          release: async () => {
            lock.released = true;
          },
        };
        locks.push(lock);
        return lock;
      },
    });
    const held = () => locks.filter(({ released }) => !released).length;
    const { call } = await open();
    act(() => call.set({ remote: [remoteSource({ from: mara, kind: "microphone" })] }));
    expect(locks).toEqual([]);
    act(() => call.set({ remote: [remoteSource({ from: mara, kind: "screen" })] }));
    await waitFor(() => expect(held()).toBe(1));
    act(() => call.set({ isVideoEnabled: false })); // as Leave does
    await waitFor(() => expect(held()).toBe(0));
    act(() => call.set({ isVideoEnabled: true }));
    await waitFor(() => expect(held()).toBe(1));
    cleanup();
    await waitFor(() => expect(held()).toBe(0));
  });
});

describe("sound settings", () => {
  it("apply to a call immediately: speaker and voice processing", async () => {
    const media = devices();
    const setSinkId = vi.fn(async () => {});
    define(HTMLMediaElement.prototype, "setSinkId", setSinkId);
    vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(() => {});
    vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(async () => {});
    const { call, fake, user } = await open({ media });
    await user.click(control("Mic"));
    await waitFor(() => expect(local(call)).toEqual(["microphone"]));
    act(() => call.set({ remote: [remoteSource({ from: mara, kind: "microphone", track: voiceTrack() })] }));
    act(() => fake.setOptions({ speakerId: "hall" }));
    expect(setSinkId).toHaveBeenLastCalledWith("hall");
    const changes = [
      ["noiseSuppression", false],
      ["echoCancellation", false],
      ["autoGainControl", false],
      ["voiceIsolation", true],
    ] as const;
    for (const [name, value] of changes) {
      const before = call.call.store.getState().local[0]?.track;
      act(() => fake.setOptions({ [name]: value }));
      await waitFor(() => expect(call.call.store.getState().local[0]?.track).not.toBe(before));
      expect(media.asked.at(-1)).toMatchObject({ audio: { [name]: value } });
    }
  });

  it.each([true, false])("keep the sound of a shared screen from this device's speaker: %s", async (is) => {
    const getDisplayMedia = vi.fn(async () => new MediaStream());
    const media = Object.assign(devices(), { getDisplayMedia });
    const { fake, user } = await open({ media });
    act(() => fake.setOptions({ suppressLocalAudioPlayback: is }));
    await user.click(control("Share screen"));
    await user.click(await screen.findByRole("menuitem", { name: "Share a screen" }));
    expect(getDisplayMedia).toHaveBeenCalledWith(
      expect.objectContaining({ audio: { suppressLocalAudioPlayback: is } }),
    );
  });
});

describe("a browser that blocks sound until a click", () => {
  it("is reported once, and a click starts every voice", async () => {
    let isAllowed = false;
    const playing = new Set<HTMLMediaElement>();
    vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(() => {});
    vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(async function (this: HTMLMediaElement) {
      if (this instanceof HTMLAudioElement && !isAllowed) throw new DOMException("", "NotAllowedError");
      playing.add(this);
    });
    const { call, user } = await open();
    const voices = [mara, clientIdOf(2)].map((from) =>
      remoteSource({ from, kind: "microphone", track: voiceTrack() }),
    );
    act(() => call.set({ remote: voices, isAudioEnabled: true }));
    expect(await screen.findAllByText("The browser is blocking sound")).toHaveLength(1);
    expect(playing.size).toBe(0);
    isAllowed = true;
    await user.click(screen.getByRole("button", { name: "Turn on sound" }));
    await waitFor(() => expect(playing.size).toBe(2));
  });
});

describe("many watchers of a camera", () => {
  it("are reported from the seventh on, with a lower resolution on offer", async () => {
    const { call, user } = await open();
    await user.click(control("Camera"));
    await waitFor(() => expect(local(call)).toEqual(["camera"]));
    const watchedBy = (count: number): void =>
      act(() =>
        call.set({
          local: call.call.store.getState().local.map((one) => ({
            ...one,
            watchers: Array.from({ length: count }, (_, index) => clientIdOf(index + 1)),
          })),
        }),
      );
    watchedBy(6);
    expect(screen.queryByText(/watching your camera/)).toBeNull();
    watchedBy(7);
    expect(await screen.findByText("7 people are watching your camera")).not.toBeNull();
    await user.click(screen.getByRole("button", { name: "Send 360p" }));
    expect(call.call.store.getState().local).toMatchObject([{ preset: "low" }]);
  });
});

/** Defines a property that happy-dom lacks; restored after the test. */
function define(object: object, name: string, value: unknown): void {
  const isOwn = Object.getOwnPropertyDescriptor(object, name);
  if (!defined.some((one) => one.object === object && one.name === name))
    defined.push({ object, name, before: isOwn });
  Object.defineProperty(object, name, { value, configurable: true });
}

const pictureTrack = () => Object.assign(new EventTarget(), { kind: "video" }) as unknown as MediaStreamTrack;
const voiceTrack = () => Object.assign(new EventTarget(), { kind: "audio" }) as unknown as MediaStreamTrack;

/** What `getDisplayMedia` gives for a chosen window. */
function screenStream(label: string): MediaStream {
  const track = Object.assign(new EventTarget(), { kind: "video", label, stop: vi.fn() });
  return Object.assign(new MediaStream(), {
    getTracks: () => [track],
    getVideoTracks: () => [track],
    getAudioTracks: () => [],
  }) as unknown as MediaStream;
}
