import { act, cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clientIdOf, fakeFile, fakePeer, fakeStoredFile, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { pngHeader } from "../../testing/png-header.ts";
import { fakeDevice, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { dialogStore } from "../../wiring/dialogs/open-dialog.tsx";
import { toast } from "../../wiring/toast.tsx";
import { ConversationPane } from "../conversation-pane.tsx";

const mara = clientIdOf(1);

beforeEach(() => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:test/1");
});
afterEach(() => {
  act(() => dialogStore.getState()?.dialog.cancel());
  toast.dismiss();
  cleanup();
});

/** A complete picture from Mara, focused. */
async function showPicture({ content = pngHeader(), copies = true } = {}) {
  const message = fakeFile(mara, mara, { fileName: "quay.png" }, { state: "complete" }, 1);
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.setLibrary(new Map([[message.file.fid, fakeStoredFile(message.file)]]));
  fake.addMessage(message);
  fake.keepFile(message.file.fid, new File([content], "quay.png"));
  const copied: Blob[] = [];
  const writePicture = async (png: Promise<Blob>) => {
    const blob = await png.catch(() => null);
    if (blob === null) return { status: "failed", reason: "no picture" } as const;
    copied.push(blob);
    return { status: "written" } as const;
  };
  const device = { ...fakeDevice(), writePicture: copies ? writePicture : null };
  const { user } = renderWithWarren(<ConversationPane conversationId={mara} />, fake, { device });
  const row = await screen.findByRole("article");
  act(() => row.focus());
  const actions = within(screen.getByRole("toolbar", { name: "Message actions" }));
  const press = async (name: string) => {
    act(() => actions.getByRole("button", { name }).focus());
    await user.keyboard("{Enter}");
  };
  return { user, actions, press, copied };
}

test("copies a picture as a PNG", async () => {
  const { press, copied } = await showPicture();
  await press("Copy picture");
  await screen.findByText("Picture copied");
  expect(copied.map(({ type }) => type)).toEqual(["image/png"]);
});

test("does not copy a picture too large to decode, and says why", async () => {
  const { press, copied } = await showPicture({ content: pngHeader(60_000, 60_000) });
  await press("Copy picture");
  await screen.findByText(/more than 40 million pixels/);
  expect(copied).toEqual([]);
});

test("saves a picture, and opens it in the preview, which copies too", async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const { user, press, copied } = await showPicture();
  await press("Save");
  await expect.poll(() => saved).toEqual(["quay.png"]);
  await press("Preview");
  const dialog = await screen.findByRole("dialog", { name: "quay.png" });
  await user.click(within(dialog).getByRole("button", { name: "Copy" }));
  await screen.findByText("Picture copied");
  expect(copied).toHaveLength(1);
});

test("hides copying if the browser does not support it", async () => {
  const { actions, press } = await showPicture({ copies: false });
  expect(actions.queryByRole("button", { name: "Copy picture" })).toBeNull();
  await press("Preview");
  const dialog = await screen.findByRole("dialog", { name: "quay.png" });
  expect(within(dialog).queryByRole("button", { name: "Copy" })).toBeNull();
});
