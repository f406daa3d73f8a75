import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { currentLocale, setLocale } from "../../i18n/i18n.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import type { DialogResult } from "../../ui/overlays/dialog-control.ts";
import { dialogStore, openDialog, removeDialog } from "../../wiring/dialogs/open-dialog.ts";
import { loadEmojis } from "./emoji-data.ts";
import EmojiDialog from "./emoji-dialog.tsx";

afterEach(async () => {
  const dialog = dialogStore.getState()?.dialog;
  act(() => dialog?.cancel());
  cleanup();
  // It would fade out, in the next test's language.
  if (dialog !== undefined) removeDialog(dialog.id);
  await setLocale("en-us");
});

async function open() {
  const fake = fakeWarren();
  const { user } = renderWithWarren(null, fake);
  let result: Promise<DialogResult<string>> | undefined;
  await act(async () => {
    result = openDialog(EmojiDialog, { anchor: { left: 0, width: 28, top: 0, bottom: 28 } });
    await loadEmojis(currentLocale());
  });
  const dialog = await screen.findByRole("dialog");
  if (result === undefined) throw new Error("no dialog");
  return { fake, user, dialog: within(dialog), chosen: result };
}

test.each([
  ["en-us", "fox", "🦊"],
  ["zh-cn", "狐狸", "🦊"],
  ["zh-tw", "狐狸", "🦊"],
  ["en-us", "party", "🥳"],
] as const)("finds an emoji in %s by %s, and Enter chooses the first", async (locale, word, emoji) => {
  await setLocale(locale);
  const { user, dialog, chosen } = await open();
  await user.type(dialog.getByRole("searchbox"), word);
  await waitFor(() => expect(dialog.getAllByRole("gridcell")[0]?.textContent).toBe(emoji));
  await user.keyboard("{Enter}");
  expect(await chosen).toEqual({ cancelled: false, value: emoji });
});

test("says that nothing is found, and Escape clears the search before it closes", async () => {
  const { user, dialog, chosen } = await open();
  await user.type(dialog.getByRole("searchbox"), "quuxly");
  expect(await dialog.findByText("No emoji for “quuxly”")).toBeTruthy();
  await user.keyboard("{Escape}");
  expect(dialog.getByRole<HTMLInputElement>("searchbox").value).toBe("");
  await user.keyboard("{Escape}");
  expect((await chosen).cancelled).toBe(true);
});

test("gives hands the chosen skin tone, which is remembered", async () => {
  const { fake, user, dialog, chosen } = await open();
  await user.click(dialog.getByRole("radio", { name: "Medium dark" }));
  expect(fake.warren.settings.get().skinTone).toBe("medium-dark");
  await user.type(dialog.getByRole("searchbox"), "thumbs up");
  await waitFor(() => expect(dialog.getAllByRole("gridcell")[0]?.textContent).toBe("👍🏾"));
  await user.click(dialog.getByRole("gridcell", { name: "Thumbs up" }));
  expect(await chosen).toEqual({ cancelled: false, value: "👍🏾" });
});

test("leaves Enter and the arrows to the input method", async () => {
  const { user, dialog } = await open();
  const field = dialog.getByRole("searchbox");
  await user.type(field, "hu");
  await waitFor(() => expect(dialog.getAllByRole("gridcell").length).toBeGreaterThan(0));
  act(() => {
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true }));
  });
  expect(dialogStore.getState()?.open).toBe(true);
});
