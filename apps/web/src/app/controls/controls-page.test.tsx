import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import ControlsPage from "./controls-page.tsx";

const sources = import.meta.glob<string>(
  [
    "../../ui/**/*.tsx",
    "../../brand/*.tsx",
    "../../people/{avatar,status-dot}.tsx",
    "!**/*.test.tsx",
    "./controls-page.tsx",
  ],
  { query: "?raw", import: "default", eager: true },
);
const { "./controls-page.tsx": page = "", ...ui } = sources;

/** Parts of dialogs, menus and popovers. */
const parts = ["BackGesture", "DialogLayer", "SheetHandle"];

const controls = Object.values(ui)
  .flatMap((source) => [...source.matchAll(/^export (?:function|const) ([A-Z]\w*)/gm)])
  .flatMap(([, name = ""]) => (/(?:Context|Provider)$/.test(name) || parts.includes(name) ? [] : [name]));

afterEach(cleanup);

test.each(controls)("%s is on the page", (name) => {
  expect(page).toMatch(new RegExp(`<${name}[\\s>]`));
});

test("all controls render, and those that open are opened", async () => {
  const { user } = renderWithWarren(<ControlsPage />, fakeWarren());
  expect(controls.length).toBeGreaterThan(40);
  const section = (name: string) => within(screen.getByRole("region", { name }));
  await user.click(section("Menu, ContextMenu").getByRole("button", { name: "Menu" }));
  expect(screen.getAllByRole("menuitem")).toHaveLength(3);
  await user.keyboard("{Escape}");
  await user.click(section("Toasts").getByRole("button", { name: "warning" }));
  expect(await screen.findByText("A toast: warning")).toBeTruthy();
  await user.click(section("Dialog").getByRole("button", { name: "Dialog with something over it" }));
  const dialog = await screen.findByRole("dialog", { name: "Delete 3 files?" });
  expect(within(dialog).getByText("Over the dialog")).toBeTruthy();
});
