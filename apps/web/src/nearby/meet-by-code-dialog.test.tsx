import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { WarrenError } from "@warren/protocol";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clientIdOf } from "../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import MeetByCodeDialog from "./meet-by-code-dialog.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ann = clientIdOf(1);
let fake: FakeWarren;
const submit = vi.fn();
const meeting = {
  invite: vi.fn(async () => "WARREN:INVITATION"),
  answer: vi.fn(async (_text: string) => "WARREN:ANSWER"),
  complete: vi.fn(async (_text: string) => {}),
  opened: vi.fn(async () => {}),
  close: vi.fn(),
  peerId: ann,
};

beforeEach(() => {
  vi.resetAllMocks();
  meeting.invite.mockResolvedValue("WARREN:INVITATION");
  meeting.answer.mockResolvedValue("WARREN:ANSWER");
  fake = fakeWarren();
  fake.setQrMeeting(meeting);
});

function render(platform = fakePlatform()) {
  const dialog = { open: true, submit, cancel: vi.fn(), returnFocus: () => {} };
  return renderWithWarren(<MeetByCodeDialog dialog={dialog} />, fake, { platform });
}

/** A camera in whose pictures the browser's detector finds codes. */
function fakeCamera(detect: () => Promise<readonly { readonly rawValue: string }[]>): MediaDevices {
  vi.stubGlobal(
    "BarcodeDetector",
    class {
      detect = detect;
    },
  );
  vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
  return {
    getUserMedia: async () => Object.assign(new MediaStream(), { getTracks: () => [] }),
  } as unknown as MediaDevices;
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const type = async (text: string) => {
  const field = await screen.findByRole("textbox", { name: "Text of the other code" });
  fireEvent.change(field, { target: { value: text } });
  const take = screen.getByRole("button", { name: "Use" });
  await waitFor(() => expect(take.getAttribute("aria-disabled")).toBeNull());
  fireEvent.click(take);
};

describe("the device that shows a code first", () => {
  test("shows it once there is no camera to wait for, and meets by the answer's text", async () => {
    const platform = fakePlatform();
    render(platform);
    press("Show a code");
    await screen.findByText("There is no camera here. Copy the text of the code instead.");
    await screen.findByRole("img", { name: "QR code of this device" });
    press("Copy as text");
    await waitFor(() => expect(platform.written).toEqual(["WARREN:INVITATION"]));
    await type("WARREN:OTHER");
    await waitFor(() => expect(submit).toHaveBeenCalledWith(ann));
    expect(meeting.complete).toHaveBeenCalledWith("WARREN:OTHER");
    expect(fake.argsOf("joinMet")).toEqual([[expect.anything(), { isScanned: false }]]);
    expect(meeting.close).not.toHaveBeenCalled();
  });

  test("tells a code that its camera saw from a text, which it says cannot verify anybody", async () => {
    let seen: readonly { readonly rawValue: string }[] = [];
    render({ ...fakePlatform(), media: fakeCamera(async () => seen) });
    press("Show a code");
    expect(screen.getByText(/^People you meet by text are not verified/)).toBeDefined();
    await screen.findByRole("img", { name: "QR code of this device" });
    seen = [{ rawValue: "WARREN:SEEN" }];
    await waitFor(() => expect(submit).toHaveBeenCalledWith(ann));
    expect(meeting.complete).toHaveBeenCalledWith("WARREN:SEEN");
    expect(fake.argsOf("joinMet")).toEqual([[expect.anything(), { isScanned: true }]]);
  });

  test("takes a code that its camera saw before the invitation was there", async () => {
    let show = (_code: string): void => {};
    meeting.invite.mockReturnValue(
      new Promise((resolve) => {
        show = resolve;
      }),
    );
    const detect = vi.fn(async () => [{ rawValue: "WARREN:SEEN" }]);
    render({ ...fakePlatform(), media: fakeCamera(detect) });
    press("Show a code");
    await waitFor(() => expect(detect.mock.calls.length).toBeGreaterThan(2));
    expect(screen.getByRole("button", { name: "Use" }).getAttribute("aria-disabled")).toBe("true");
    expect(meeting.complete).not.toHaveBeenCalled();
    show("WARREN:INVITATION");
    await waitFor(() => expect(submit).toHaveBeenCalledWith(ann));
    expect(meeting.complete).toHaveBeenCalledExactlyOnceWith("WARREN:SEEN");
  });

  test.each([
    [new WarrenError("code-invalid", { issue: "own" }), /This is the code of this device/],
    [new WarrenError("code-invalid", { issue: "nonce" }), /not the code that is needed now/],
  ])("refuses a code in words, and takes the next one: %s", async (error, words) => {
    meeting.complete.mockRejectedValueOnce(error);
    render();
    press("Show a code");
    await type("WARREN:WRONG");
    await screen.findByText(words);
    expect(submit).not.toHaveBeenCalled();
    await type("WARREN:RIGHT");
    await waitFor(() => expect(submit).toHaveBeenCalledWith(ann));
  });

  test("says so when the two do not meet, and begins again", async () => {
    fake.fail("joinMet", new WarrenError("connect-timeout"));
    render();
    press("Show a code");
    await type("WARREN:OTHER");
    await screen.findByText(/did not meet/);
    expect(meeting.close).toHaveBeenCalled();
    expect(screen.getByRole("button", { name: "Show a code" })).toBeDefined();
  });
});

describe("the device that scans first", () => {
  test("shows its own code after it has read the other's, and meets once that was read", async () => {
    let open = (): void => {};
    meeting.opened.mockImplementation(
      () =>
        new Promise<void>((resolve) => {
          open = resolve;
        }),
    );
    render();
    press("Scan a code");
    await type("WARREN:INVITATION");
    await screen.findByRole("img", { name: "QR code of this device" });
    expect(meeting.answer).toHaveBeenCalledWith("WARREN:INVITATION");
    expect(submit).not.toHaveBeenCalled();
    open();
    await waitFor(() => expect(submit).toHaveBeenCalledWith(ann));
  });

  test("stays at the camera when it has read something else", async () => {
    meeting.answer.mockRejectedValueOnce(new WarrenError("another-version"));
    render();
    press("Scan a code");
    await type("WARREN:NEWER");
    await screen.findByText("The other device has another version of Warren. Reload it on both.");
    await type("WARREN:INVITATION");
    await screen.findByRole("img", { name: "QR code of this device" });
  });
});

test("ends a meeting that was not finished when it closes", async () => {
  const { unmount } = render();
  press("Show a code");
  await screen.findByRole("img", { name: "QR code of this device" });
  unmount();
  expect(meeting.close).toHaveBeenCalled();
});

test("says before the codes what the browser asks for", async () => {
  vi.stubGlobal("navigator", {
    permissions: { query: async () => Object.assign(new EventTarget(), { state: "prompt" }) },
  });
  vi.stubGlobal("location", { hostname: "warren.example.org" });
  render();
  expect(await screen.findByText(/^Your browser may ask/)).toBeDefined();
});
