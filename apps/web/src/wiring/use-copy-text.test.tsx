import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ClipboardWrite } from "../platform/clipboard.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { fakeDevice, renderWithWarren } from "../testing/render-with-warren.tsx";
import type { Device } from "./device-context.tsx";
import { toast } from "./toast.tsx";
import { useCopyText } from "./use-copy-text.ts";

afterEach(() => {
  toast.dismiss();
  cleanup();
});

/** A device that responds to successive writes with these results. */
function deviceThat(...answers: readonly ClipboardWrite[]): Device {
  const left = [...answers];
  return { ...fakeDevice(), writeClipboard: async () => left.shift() ?? expect.fail("one write too many") };
}

function Copier() {
  const copyText = useCopyText();
  return (
    <button type="button" onClick={() => void copyText("rabbit-42")}>
      Take it
    </button>
  );
}

const refused: ClipboardWrite = { status: "failed", reason: "Write permission denied." };

test("a text that the browser rejects is offered with a button that copies it", async () => {
  const device = deviceThat(refused, { status: "written" });
  const { user } = renderWithWarren(<Copier />, fakeWarren(), { device });
  await user.click(screen.getByRole("button", { name: "Take it" }));
  await screen.findByText("rabbit-42");
  expect(screen.queryByText("Write permission denied.")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Copy" }));
  await screen.findByText("Copy success");
});

test("a text rejected again is reported with the reason", async () => {
  const { user } = renderWithWarren(<Copier />, fakeWarren(), { device: deviceThat(refused, refused) });
  await user.click(screen.getByRole("button", { name: "Take it" }));
  await user.click(await screen.findByRole("button", { name: "Copy" }));
  await screen.findByText("Write permission denied.");
});
