import { act, cleanup, screen, waitFor } from "@testing-library/react";
import type { StoredFile } from "@warren/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { BrowserData } from "../platform/storage/browser-data.ts";
import { fakeStoredFile, libraryOf } from "../testing/fake-records.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import type { Platform } from "../wiring/platform-context.ts";
import SettingsPage from "./settings-page.tsx";

afterEach(() => {
  cleanup();
  location.hash = "";
});

function open(change: Partial<Platform>) {
  location.hash = "advanced";
  const fake = fakeWarren();
  const platform = { ...fakePlatform(), ...change };
  return { fake, ...renderWithWarren(<SettingsPage />, fake, { path: "/setting", platform }) };
}

describe("the advanced section", () => {
  const data = (change: Partial<BrowserData> = {}): Partial<Platform> => ({
    browserData: {
      usage: async () => ({ usedBytes: 12.2 * 1_000_000_000, freeBytes: 41.8 * 1_000_000_000 }),
      isPersisted: async () => false,
      persist: async () => false,
      clearCaches: async () => {},
      reloadPastCache: async () => {},
      eraseAll: () => {},
      continueInMemory: () => {},
      ...change,
    },
  });

  it("shows the used storage, and whether the browser agreed to persist it", async () => {
    const persist = vi.fn(async () => false);
    const { user } = open(data({ persist }));
    expect(await screen.findByText("12.2 GB used, 41.8 GB free")).not.toBeNull();
    await user.click(screen.getByRole("button", { name: "Ask the browser" }));
    expect(await screen.findByText(/browser declined/)).not.toBeNull();
    persist.mockResolvedValue(true);
    await user.click(screen.getByRole("button", { name: "Ask the browser" }));
    expect(await screen.findByText("Kept")).not.toBeNull();
  });

  it("accounts for all used bytes", async () => {
    let usedBytes = 600;
    const { fake } = open(data({ usage: async () => ({ usedBytes, freeBytes: 1_000 }) }));
    const file = (fid: string, storedBytes: number, change: Partial<StoredFile>) =>
      fakeStoredFile({ fid }, { storedBytes, ...change });
    act(() =>
      fake.setLibrary(
        libraryOf([
          file("a", 100, { direction: "received" }),
          file("b", 50, { direction: "received", state: "incomplete" }),
          file("c", 200, { direction: "sent" }),
          file("d", 4_000, { direction: "sent", location: "page" }),
        ]),
      ),
    );
    const list = (await screen.findByText("Received files")).closest("dl");
    const bytes = () => [...(list?.querySelectorAll("dd") ?? [])].map((part) => part.textContent);
    expect(bytes()).toEqual(["100 B", "50 B", "200 B", "250 B"]);
    usedBytes = 1_000;
    act(() => fake.setLibrary(libraryOf([file("a", 700, { direction: "received" })])));
    await waitFor(() => expect(bytes()).toEqual(["700 B", "0 B", "0 B", "300 B"]));
  });

  it("resets every option, only after confirmation", async () => {
    const { fake, user } = open(data());
    fake.setOptions({ ordered: true });
    fake.warren.profile.update({ autoJoin: true });
    const press = async (answer: string) => {
      await user.click(screen.getByRole("button", { name: "Reset options" }));
      const dialog = await screen.findByRole("dialog", { name: "Reset options?" });
      await user.click(
        [...dialog.querySelectorAll("button")].find((button) => button.textContent === answer) ?? dialog,
      );
    };
    await press("Cancel");
    expect(fake.warren.settings.get().ordered).toBe(true);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await press("Reset options");
    expect(await screen.findByText("Options reset successfully")).not.toBeNull();
    expect(fake.warren.settings.get().ordered).toBe(false);
    expect(fake.warren.profile.get().autoJoin).toBe(false);
  });

  it("reports why the cache could not be cleared", async () => {
    const clearCaches = () => Promise.reject(new Error("disk on fire"));
    const { user } = open(data({ clearCaches }));
    await user.click(screen.getByRole("button", { name: "Troubleshooting" }));
    await user.click(screen.getByRole("button", { name: "Clear cache" }));
    const dialog = await screen.findByRole("dialog", { name: "Clear the app cache?" });
    await user.click([...dialog.querySelectorAll("button")].at(-1) ?? dialog);
    expect(
      await screen.findByText("Failed to clear Cache Storage and Service Worker, error: disk on fire"),
    ).not.toBeNull();
  });

  it("deletes everything only after a warning, and leaves the room first", async () => {
    const order: string[] = [];
    const eraseAll = () => void order.push("erase");
    const { fake, user } = open(data({ eraseAll }));
    await user.click(screen.getByRole("button", { name: "Delete everything" }));
    const dialog = await screen.findByRole("dialog", { name: "Delete all data?" });
    expect(dialog.textContent).toMatch(/Messages, contacts, files, settings and your identity/);
    expect(order).toEqual([]);
    await user.click([...dialog.querySelectorAll("button")].at(-1) ?? dialog);
    await waitFor(() => expect(order).toEqual(["erase"]));
    expect(fake.argsOf("leave")).toHaveLength(1);
  });
});
