import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { useLocation } from "wouter";
import { readJoinLink } from "../../components/join-link.ts";
import { dialogStore, openDialog } from "../../dialogs/open-dialog.tsx";
import { ShareRoomDialog } from "../../dialogs/share-room-dialog.tsx";
import { roomWith } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { loadAllOnDemand } from "../../ui/on-demand.tsx";
import { openPage } from "./open-page.ts";
import { useFirstRun } from "./use-first-run.ts";

const outside = { status: "disconnected", error: null } as const;
const origin = "https://warren.example";

/** What a browser keeps, with what it kept before. */
function browser(kept: Readonly<Record<string, string>> = {}) {
  const map = new Map(Object.entries(kept));
  const storage = {
    read: (key: string) => map.get(key) ?? null,
    write: (key: string, value: string) => void map.set(key, value),
    remove: (key: string) => void map.delete(key),
  };
  return { map, storage };
}

function Page({ startup, place }: { startup: Parameters<typeof useFirstRun>[0]; place: string }) {
  useFirstRun(startup, place);
  const [address] = useLocation();
  return (
    <>
      <output aria-label="Address">{address}</output>
      <button type="button">On the page</button>
    </>
  );
}

/** Opens a page of the app at an address; `go` leads to another one. */
function visit(
  { storage }: ReturnType<typeof browser>,
  address: string,
  { fake = fakeWarren(), erased = null }: { fake?: FakeWarren; erased?: "done" | null } = {},
) {
  const opening = { link: readJoinLink(origin + address), referrer: "", origin };
  const plan = openPage(fake.warren, { storage, tabStorage: browser().storage }, opening);
  const startup = { plan, storage, erased };
  const pathname = new URL(address, origin).pathname;
  const view = renderWithWarren(<Page startup={startup} place={pathname} />, fake, { path: pathname });
  return { fake, plan, ...view };
}

const welcome = () => screen.findByRole("dialog", { name: "Welcome to Warren" });

/** Lets the page do what it does at once; the code of its dialogs is there. */
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 0)));

async function expectNoWelcome(): Promise<void> {
  await settle();
  expect(screen.queryByRole("dialog")).toBeNull();
}

// As in a page that has been open for a moment.
beforeAll(loadAllOnDemand);
afterEach(() => {
  act(() => dialogStore.getState()?.dialog.cancel());
  cleanup();
});

describe("the first run", () => {
  it("says what to do first and what is not protected, and leads to the join form", async () => {
    const { user } = visit(browser(), "/");
    const dialog = await welcome();
    const steps = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(steps).toEqual([
      expect.stringContaining("Set your name and picture"),
      expect.stringContaining("Set a room ID and a password"),
      expect.stringContaining("Share the room"),
    ]);
    expect(dialog.textContent).toContain("Your data lives only in this browser");
    await user.click(screen.getByRole("button", { name: "Set name and room" }));
    await screen.findByRole("dialog", { name: "Edit Room Info" });
    expect(screen.queryByRole("dialog", { name: "Welcome to Warren" })).toBeNull();
  });

  it("comes once: not after a reload, nor in a tab that was opened before", async () => {
    const mine = browser();
    const tab = openPage(
      fakeWarren().warren,
      { storage: mine.storage, tabStorage: browser().storage },
      { link: readJoinLink(`${origin}/`), referrer: "", origin },
    );
    expect(tab.isFirstRun).toBe(true);
    const { user } = visit(mine, "/");
    await welcome();
    expect(mine.map.get("app_initialized")).toBe("true");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    cleanup();

    expect(visit(mine, "/").plan.isFirstRun).toBe(false);
    await expectNoWelcome();
    cleanup();
    const startup = { plan: tab, storage: mine.storage, erased: null };
    renderWithWarren(<Page startup={startup} place="/" />, fakeWarren());
    await expectNoWelcome();
  });

  it("gives focus back to the page when it is closed", async () => {
    const { user } = visit(browser(), "/");
    const button = screen.getByRole("button", { name: "On the page" });
    button.focus();
    await welcome();
    await user.click(screen.getByRole("button", { name: "Not now" }));
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it.each([
    ["to the start page with who joined", roomWith([]), "/"],
    ["nowhere when the join failed", outside, "/file"],
  ] as const)("goes %s from elsewhere", async (_name, after, address) => {
    const fake = fakeWarren();
    fake.setRoom(outside);
    const join = vi.spyOn(fake.warren.room, "join").mockImplementation(async () => fake.setRoom(after));
    const { user } = visit(browser(), "/file", { fake });
    await user.click(await screen.findByRole("button", { name: "Set name and room" }));
    await user.click(await screen.findByRole("button", { name: "Join room" }));
    await waitFor(() => expect(join).toHaveBeenCalled());
    await settle();
    await waitFor(() => expect(screen.getByLabelText("Address").textContent).toBe(address));
  });

  it.each(["/file", "/video", "/setting"])("greets who opens %s first", async (address) => {
    visit(browser(), address);
    await welcome();
  });

  it.each([
    "/share",
    "/close-window",
    "/no/such/page",
    "/client/7d1f2c90-0000-4000-8000-00000000c84a/chat",
    "/?id=quay",
    "/video?id=quay#pwd=tidal",
  ])("leaves who opens %s alone", async (address) => {
    visit(browser(), address);
    await expectNoWelcome();
  });

  it("waits for the start page where somebody came elsewhere first", async () => {
    const mine = browser();
    const fake = fakeWarren();
    const opening = { link: readJoinLink(`${origin}/no/such/page`), referrer: "", origin };
    const plan = openPage(fake.warren, { storage: mine.storage, tabStorage: browser().storage }, opening);
    const startup = { plan, storage: mine.storage, erased: null };
    renderWithWarren(<Page startup={startup} place="/no/such/page" />, fake);
    await expectNoWelcome();
    expect(mine.map.has("app_initialized")).toBe(false);
    cleanup();
    renderWithWarren(<Page startup={startup} place="/" />, fake);
    await welcome();
  });

  it("leaves who has joined, and who has just deleted everything", async () => {
    visit(browser({ room_joined: "true" }), "/");
    await expectNoWelcome();
    cleanup();
    visit(browser(), "/", { erased: "done" });
    await expectNoWelcome();
  });

  it("does not interrupt who has begun, and takes the place of no other dialog", async () => {
    const mine = browser();
    visit(mine, "/");
    dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
    await expectNoWelcome();
    cleanup();
    visit(mine, "/");
    act(() => void openDialog(ShareRoomDialog, {}));
    await settle();
    expect(screen.queryByRole("dialog", { name: "Welcome to Warren" })).toBeNull();
    expect(mine.map.has("app_initialized")).toBe(false);
  });
});
