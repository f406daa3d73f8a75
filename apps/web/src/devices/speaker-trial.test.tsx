import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { defaultOptions } from "@warren/core";
import { afterEach, expect, test, vi } from "vitest";
import { fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { SpeakerTrial } from "./speaker-trial.tsx";

const setSinkId = vi.fn<(speakerId: string) => Promise<void>>();

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  setSinkId.mockReset();
});

/** A fake Web Audio. The test decides when the last note ends. */
function stubAudio() {
  const contexts: { state: string }[] = [];
  const notes: EventTarget[] = [];
  class StubAudioContext {
    state = "running";
    currentTime = 0;
    constructor() {
      contexts.push(this);
    }
    createMediaStreamDestination = () => ({ stream: new MediaStream() });
    resume = async () => {};
    close = async () => {
      this.state = "closed";
    };
  }
  class StubNode extends EventTarget {
    gain = { setValueAtTime: () => {}, linearRampToValueAtTime: () => {} };
    connect = (next: unknown) => next;
    start = () => {};
    stop = () => {};
  }
  class StubOscillator extends StubNode {
    constructor() {
      super();
      notes.push(this);
    }
  }
  class StubPlayer {
    srcObject: MediaStream | null = null;
    setSinkId = setSinkId;
    play = async () => {};
    pause = () => {};
  }
  vi.stubGlobal("AudioContext", StubAudioContext);
  vi.stubGlobal("OscillatorNode", StubOscillator);
  vi.stubGlobal("GainNode", StubNode);
  vi.stubGlobal("Audio", StubPlayer);
  return { contexts, endNotes: () => act(() => notes.at(-1)?.dispatchEvent(new Event("ended"))) };
}

function show(speakerId: string | null) {
  const choice = { ...defaultOptions, speakerId };
  return renderWithWarren(<SpeakerTrial devices={[]} choice={choice} onChange={() => {}} />, fakeWarren());
}

const button = () => screen.getByRole("button", { name: "Play a test tone" });

test("plays a tone on the selected speaker, then shows what to do if nothing was heard", async () => {
  const { contexts, endNotes } = stubAudio();
  const { user } = show("hall");
  await user.click(button());
  expect(await screen.findByText("Two notes are playing.")).not.toBeNull();
  await vi.waitFor(() => expect(setSinkId).toHaveBeenCalledWith("hall"));
  await vi.waitFor(() => {
    endNotes();
    expect(screen.getByText(/Nothing heard\?/)).not.toBeNull();
  });
  expect(contexts.map(({ state }) => state)).toEqual(["closed"]);
});

test("uses the browser's default if no speaker is selected", async () => {
  stubAudio();
  const { user } = show(null);
  await user.click(button());
  expect(await screen.findByText("Two notes are playing.")).not.toBeNull();
  expect(setSinkId).not.toHaveBeenCalled();
});

test("reports a speaker that does not play, and closes its audio context", async () => {
  const { contexts } = stubAudio();
  setSinkId.mockRejectedValue(new DOMException("gone", "NotFoundError"));
  const { user } = show("hall");
  await user.click(button());
  expect(await screen.findByText(/No tone was played/)).not.toBeNull();
  expect(contexts.map(({ state }) => state)).toEqual(["closed"]);
});

test("reports a device whose clock never starts as not playing", async () => {
  stubAudio();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    show("hall");
    fireEvent.click(button());
    expect(screen.getByText("Two notes are playing.")).not.toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(screen.getByText(/No tone was played/)).not.toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test("stops the tone when unmounted", async () => {
  const { contexts } = stubAudio();
  const { user, unmount } = show("hall");
  await user.click(button());
  await screen.findByText("Two notes are playing.");
  unmount();
  expect(contexts.map(({ state }) => state)).toEqual(["closed"]);
});
