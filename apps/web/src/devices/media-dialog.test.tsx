import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import type { Options } from "@warren/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cancelDialog } from "../testing/cancel-dialog.ts";
import { type FakeMedia, fakeMedia } from "../testing/fake-media.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import type { LocalMedia } from "../wiring/platform-context.ts";
import { useChooseMedia } from "./use-choose-media.ts";

afterEach(() => {
  cancelDialog();
  cleanup();
  vi.unstubAllGlobals();
});

const front = { kind: "videoinput", deviceId: "front", label: "Front" } as const;
const back = { kind: "videoinput", deviceId: "back", label: "Back" } as const;
const desk = { kind: "audioinput", deviceId: "desk", label: "Desk" } as const;

function Page({ onClosed }: { readonly onClosed: () => void }) {
  const chooseMedia = useChooseMedia();
  return (
    <button type="button" onClick={() => void chooseMedia().then(onClosed)}>
      Choose
    </button>
  );
}

/** Opens the dialog; `chosen` gives the options, `onClosed` is called once it has closed. */
async function open(media: FakeMedia | null, choice: Partial<Options> = {}) {
  const platform = { ...fakePlatform(), media: media as LocalMedia | null };
  const fake = fakeWarren();
  fake.setOptions(choice);
  const before = fake.warren.settings.get();
  const onClosed = vi.fn();
  const { user } = renderWithWarren(<Page onClosed={onClosed} />, fake, { platform });
  await user.click(screen.getByRole("button", { name: "Choose" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Camera and microphone" }));
  return { user, dialog, onClosed, before, chosen: () => fake.warren.settings.get() };
}

const live = () => screen.findByLabelText("Your camera", { selector: "video" });

/** A fake Web Audio in which every sample is `loudness`. */
function stubAudio(loudness: number) {
  const contexts: { state: string }[] = [];
  class StubAudioContext {
    state = "running";
    constructor() {
      contexts.push(this);
    }
    createAnalyser = () => ({
      fftSize: 0,
      getFloatTimeDomainData: (samples: Float32Array) => void samples.fill(loudness),
    });
    createMediaStreamSource = () => ({ connect: () => {} });
    resume = async () => {};
    close = async () => {
      this.state = "closed";
    };
  }
  vi.stubGlobal("AudioContext", StubAudioContext);
  return contexts;
}

describe("the camera and microphone dialog", () => {
  it("previews the camera, and stores the choice", async () => {
    const media = fakeMedia([front, back, desk]);
    const { user, dialog, before, chosen } = await open(media);
    await live();
    await user.selectOptions(await dialog.findByRole("combobox", { name: "Camera" }), "Back");
    await waitFor(() => expect(media.asked.at(-1)).toEqual({ video: { deviceId: { ideal: "back" } } }));
    await user.click(dialog.getByRole("switch", { name: "Voice isolation" }));
    await user.click(dialog.getByRole("button", { name: "Use these" }));
    await waitFor(() => expect(chosen()).toEqual({ ...before, cameraId: "back", voiceIsolation: true }));
  });

  it("opens the microphone with the selected constraints, and again when they change", async () => {
    const media = fakeMedia([desk]);
    const { user, dialog } = await open(media, { microphoneId: "desk" });
    const asked = {
      deviceId: { ideal: "desk" },
      noiseSuppression: true,
      echoCancellation: true,
      autoGainControl: true,
      voiceIsolation: false,
    };
    await waitFor(() => expect(media.asked).toContainEqual({ audio: asked }));
    await user.click(dialog.getByRole("switch", { name: "Noise suppression" }));
    await waitFor(() => expect(media.asked).toContainEqual({ audio: { ...asked, noiseSuppression: false } }));
    await waitFor(() => expect(media.open()).toEqual(["audio"]));
  });

  it.each(["Cancel", "Use these"])("releases everything on %s", async (button) => {
    const contexts = stubAudio(0);
    const media = fakeMedia([front, desk]);
    const { user, dialog } = await open(media);
    await live();
    await waitFor(() => expect([...media.open()].sort()).toEqual(["audio", "video"]));
    await waitFor(() => expect(contexts).toHaveLength(1));
    await user.click(dialog.getByRole("button", { name: button }));
    await waitFor(() => expect(media.open()).toEqual([]));
    await waitFor(() => expect(contexts.map(({ state }) => state)).toEqual(["closed"]));
  });

  it("releases a device that opens after the dialog has closed", async () => {
    const media = fakeMedia([front, desk]);
    const answer = media.hold();
    const { user, onClosed, before, chosen } = await open(media);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(onClosed).toHaveBeenCalledOnce());
    expect(chosen()).toEqual(before);
    answer();
    await waitFor(() => expect(media.given()).toBe(2));
    await waitFor(() => expect(media.open()).toEqual([]));
  });

  it.each([
    ["NotAllowedError", /does not allow the camera\. Allow it in the browser's settings/],
    ["NotFoundError", /No camera found/],
    ["NotReadableError", /The camera is in use elsewhere/],
    ["TypeError", /The camera did not start/],
  ])("shows what to do after a %s, and retries on request", async (name, words) => {
    const media = fakeMedia([front, desk]);
    media.fail("video", name);
    const { user, dialog } = await open(media);
    const alert = await dialog.findByRole("alert");
    expect(alert.textContent).toMatch(words);
    media.fail("video", null);
    await user.click(dialog.getByRole("button", { name: "Retry the camera" }));
    await live();
    expect(dialog.queryByRole("alert")).toBeNull();
  });

  it("shows why there is no microphone, and still previews the camera", async () => {
    const media = fakeMedia([front]);
    media.fail("audio", "NotFoundError");
    const { dialog } = await open(media);
    expect((await dialog.findByRole("alert")).textContent).toMatch(/No microphone found/);
    await live();
  });

  it("reports an unplugged camera, and previews it once it is back", async () => {
    const media = fakeMedia([front, desk]);
    const { dialog } = await open(media, { cameraId: "front" });
    await live();
    act(() => media.unplug("front"));
    expect((await dialog.findByRole("alert")).textContent).toMatch(/The camera was disconnected/);
    expect(await dialog.findByRole("option", { name: "Not connected", selected: true })).not.toBeNull();
    act(() => media.plugIn(front));
    await live();
    expect(dialog.queryByRole("alert")).toBeNull();
  });

  it("measures the microphone level, and reports that it hears sound", async () => {
    stubAudio(0.1);
    const { dialog } = await open(fakeMedia([front, desk]));
    const meter = await dialog.findByRole("meter", { name: "Microphone level" });
    // An amplitude of 0.1 is 20 dB below full scale; the meter shows 60 dB.
    expect(meter.getAttribute("aria-valuenow")).toBe("67");
    expect(await dialog.findByText("The microphone hears you.")).not.toBeNull();
  });

  it("does not report sound in silence", async () => {
    stubAudio(0);
    const { dialog } = await open(fakeMedia([front, desk]));
    expect((await dialog.findByRole("meter")).getAttribute("aria-valuenow")).toBe("0");
    expect(dialog.getByText("Say something and watch the bar.")).not.toBeNull();
  });

  it("renders no meter if the browser has no AudioContext", async () => {
    const media = fakeMedia([front, desk]);
    const { dialog } = await open(media);
    await live();
    await waitFor(() => expect(media.open()).toContain("audio"));
    expect(dialog.queryByRole("meter")).toBeNull();
  });

  it("selects the speaker", async () => {
    const speaker = { kind: "audiooutput", deviceId: "hall", label: "Hall" } as const;
    const { user, dialog, chosen } = await open(fakeMedia([front, desk, speaker]));
    const select = dialog.getByRole("combobox", { name: "Speaker" });
    await within(select).findByRole("option", { name: "Hall" });
    await user.selectOptions(select, "Hall");
    await user.click(dialog.getByRole("button", { name: "Use these" }));
    await waitFor(() => expect(chosen().speakerId).toBe("hall"));
  });

  it("does not offer a speaker if the page cannot select one", async () => {
    const { prototype } = HTMLMediaElement;
    const setSinkId = Object.getOwnPropertyDescriptor(prototype, "setSinkId");
    Reflect.deleteProperty(prototype, "setSinkId");
    try {
      const { dialog } = await open(fakeMedia([front, desk]));
      expect(dialog.queryByRole("combobox", { name: "Speaker" })).toBeNull();
      expect(dialog.getByText("This browser always plays on the system's default device.")).not.toBeNull();
    } finally {
      if (setSinkId) Object.defineProperty(prototype, "setSinkId", setSinkId);
    }
  });

  it("disables switches that the browser or the microphone does not support or always applies, and explains why", async () => {
    const media = fakeMedia([front, desk]);
    media.supported = { noiseSuppression: true, echoCancellation: true, autoGainControl: true };
    media.abilities = { noiseSuppression: [false], echoCancellation: [true], autoGainControl: [true, false] };
    const { user, dialog, onClosed, chosen } = await open(media, { voiceIsolation: true });
    const shown = (name: string) => {
      const toggle = dialog.getByRole("switch", { name });
      const line = document.getElementById(toggle.getAttribute("aria-describedby") ?? "")?.textContent;
      return [toggle.getAttribute("aria-checked"), toggle.getAttribute("aria-disabled"), line];
    };
    expect(shown("Voice isolation")).toEqual(["false", "true", "Not available in this browser."]);
    await waitFor(() =>
      expect(shown("Noise suppression")).toEqual(["false", "true", "Not available on this microphone."]),
    );
    expect(shown("Echo cancellation")).toEqual(["true", "true", "Always on for this microphone."]);
    expect(shown("Automatic gain")).toEqual(["true", null, undefined]);
    await user.click(dialog.getByRole("switch", { name: "Noise suppression" }));
    await user.click(dialog.getByRole("switch", { name: "Voice isolation" }));
    await user.click(dialog.getByRole("button", { name: "Use these" }));
    await waitFor(() => expect(onClosed).toHaveBeenCalledOnce());
    // The stored choice is kept for browsers and microphones that support it.
    const kept = { noiseSuppression: true, voiceIsolation: true };
    expect(chosen()).toMatchObject(kept);
  });

  it("requires a secure context if there are no devices", async () => {
    const { user, dialog, onClosed, before, chosen } = await open(null);
    expect(dialog.getByText(/^Please use this function in a secure context/)).not.toBeNull();
    await user.click(dialog.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(onClosed).toHaveBeenCalledOnce());
    expect(chosen()).toEqual(before);
  });
});
