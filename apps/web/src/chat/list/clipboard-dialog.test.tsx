import { act, cleanup, screen, within } from "@testing-library/react";
import { everyone } from "@warren/core";
import { afterEach, expect, test } from "vitest";
import { clientIdOf, fakeContact } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakeDevice, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { toast } from "../../wiring/toast.tsx";
import { ClipboardDialog } from "./clipboard-dialog.tsx";

const mara = clientIdOf(1);
const control = { open: true, submit() {}, cancel() {}, returnFocus() {} };

afterEach(() => {
  toast.dismiss();
  cleanup();
});

test("lists a peer's texts, newest first, which can be copied completely or deleted", async () => {
  const fake = fakeWarren();
  const long = `npm start ${"x".repeat(5_000)}`;
  fake.setChat({
    contacts: { [mara]: fakeContact(1, "Mara Lindqvist") },
    clipboards: {
      [mara]: [
        { text: long, receivedAt: 2 },
        { text: "first", receivedAt: 1 },
      ],
    },
  });
  const device = fakeDevice();
  const { user } = renderWithWarren(<ClipboardDialog conversationId={mara} dialog={control} />, fake, {
    device,
  });
  const dialog = screen.getByRole("dialog", { name: "Clipboard text from Mara" });
  const rows = within(dialog).getAllByRole("listitem");
  expect(rows).toHaveLength(2);
  await user.click(within(rows[0] ?? expect.fail()).getByRole("button", { name: "Copy again" }));
  expect(device.written).toEqual([long]);
  expect(await screen.findByText("Copy success")).toBeTruthy();
  await user.click(within(dialog).getByRole("button", { name: "Clear all" }));
  expect(fake.argsOf("clearClipboard")).toEqual([[mara]]);
  act(() => fake.setChat({ clipboards: {} }));
  expect(within(dialog).getByText("No clipboard text yet")).toBeTruthy();
});

test("lists everyone's texts with their senders", async () => {
  const fake = fakeWarren();
  const ivo = clientIdOf(2);
  fake.setChat({
    contacts: { [mara]: fakeContact(1, "Mara Lindqvist"), [ivo]: fakeContact(2, "Ivo Petrov") },
    clipboards: {
      [mara]: [
        { text: "newest", receivedAt: 3 },
        { text: "oldest", receivedAt: 1 },
      ],
      [ivo]: [{ text: "between", receivedAt: 2 }],
    },
  });
  const { user } = renderWithWarren(<ClipboardDialog conversationId={everyone} dialog={control} />, fake);
  const dialog = within(screen.getByRole("dialog", { name: "Clipboard text from everyone" }));
  const rows = dialog.getAllByRole("listitem").map((row) => row.textContent);
  expect(rows.map((row) => row?.match(/^(newest|between|oldest)(Mara|Ivo)/)?.[0])).toEqual([
    "newestMara",
    "betweenIvo",
    "oldestMara",
  ]);
  await user.click(dialog.getByRole("button", { name: "Clear all" }));
  expect(fake.argsOf("clearClipboard")).toEqual([[mara], [ivo]]);
});

test("outside a secure context copying explains what is needed", async () => {
  const fake = fakeWarren();
  fake.setChat({ clipboards: { [mara]: [{ text: "first", receivedAt: 1 }] } });
  const device = { ...fakeDevice(), writeClipboard: async () => ({ status: "unsupported" }) as const };
  const { user } = renderWithWarren(<ClipboardDialog conversationId={mara} dialog={control} />, fake, {
    device,
  });
  await user.click(screen.getByRole("button", { name: "Copy again" }));
  expect(await screen.findByText("Clipboard is not supported, please use in a secure context")).toBeTruthy();
});
