import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ClipboardWrite } from "../platform/clipboard.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import type { Platform } from "./platform-context.ts";
import { toast } from "./toast.ts";
import { useCopyText } from "./use-copy-text.ts";

afterEach(() => {
  toast.dismiss();
  cleanup();
});

/** A device that responds to successive writes with these results. */
function deviceThat(...answers: readonly ClipboardWrite[]): Platform {
  const left = [...answers];
  return { ...fakePlatform(), writeClipboard: async () => left.shift() ?? expect.fail("one write too many") };
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
  const platform = deviceThat(refused, { status: "written" });
  const { user } = renderWithWarren(<Copier />, fakeWarren(), { platform });
  await user.click(screen.getByRole("button", { name: "Take it" }));
  await screen.findByText("rabbit-42");
  expect(screen.queryByText("Write permission denied.")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Copy" }));
  await screen.findByText("Copy success");
});

test("a text rejected again is reported with the reason", async () => {
  const { user } = renderWithWarren(<Copier />, fakeWarren(), { platform: deviceThat(refused, refused) });
  await user.click(screen.getByRole("button", { name: "Take it" }));
  await user.click(await screen.findByRole("button", { name: "Copy" }));
  await screen.findByText("Write permission denied.");
});
