import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { enUs } from "../../i18n/en-us.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { shortcuts } from "./shortcuts.ts";
import { useShortcutsHelp } from "./shortcuts-dialog.tsx";

afterEach(cleanup);

function Page() {
  useShortcutsHelp();
  return <textarea aria-label="Message" />;
}

const pressHelp = (target: Element) => fireEvent.keyDown(target, { key: "?", shiftKey: true });

test("? opens the shortcuts, but types a character in a field", async () => {
  const fake = fakeWarren();
  const { user } = renderWithWarren(<Page />, fake);
  expect(pressHelp(screen.getByRole("textbox"))).toBe(true);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(pressHelp(document.body)).toBe(false);
  const dialog = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
  const writing = within(dialog).getByRole("region", { name: "While writing a message" });
  expect(writing.textContent).toContain("SendCtrl EnterorShift Enter");
  expect(dialog.textContent).toContain("Ctrl V");
  const files = within(dialog).getByRole("region", { name: "In lists of files" });
  expect(files.textContent).toContain("Select allCtrl A");
  await user.keyboard("{Escape}");
});

test("it shows those of the current options", async () => {
  const fake = fakeWarren();
  fake.setOptions({ enterSends: true, enableClipboard: false });
  const { user } = renderWithWarren(<Page />, fake);
  pressHelp(document.body);
  const dialog = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
  const writing = within(dialog).getByRole("region", { name: "While writing a message" });
  expect(writing.textContent).toContain("SendEnterorCtrl Enter");
  expect(writing.textContent).toContain("New lineShift Enter");
  expect(dialog.textContent).not.toContain("Ctrl V");
  await user.keyboard("{Escape}");
});

test("every shortcut of the table stands in it, with one option or the other", async () => {
  const listed = new Set<string>();
  for (const enterSends of [true, false]) {
    const fake = fakeWarren();
    fake.setOptions({ enterSends, enableClipboard: true });
    const { user } = renderWithWarren(<Page />, fake);
    pressHelp(document.body);
    const dialog = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
    for (const term of within(dialog).getAllByRole("term")) listed.add(term.textContent ?? "");
    await user.keyboard("{Escape}");
    cleanup();
  }
  const { what } = enUs.shortcuts;
  expect([...listed].toSorted()).toEqual([...new Set(Object.values(what))].toSorted());
  expect(Object.keys(what).toSorted()).toEqual(Object.keys(shortcuts).toSorted());
});
