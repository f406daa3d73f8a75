import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { useSearch } from "wouter";
import { clientIdOf, fakeContact, fakePeer, roomWith } from "../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { dialogStore } from "../wiring/dialogs/open-dialog.ts";
import { toast } from "../wiring/toast.ts";
import SharePage from "./share-page.tsx";
import { ShareTrayBar } from "./share-tray-bar.tsx";

const mara = clientIdOf(1);
const shared = { type: "text", text: "Look: https://example.org/" } as const;

afterEach(() => {
  act(() => {
    dialogStore.getState()?.dialog.cancel();
  });
  toast.dismiss();
  cleanup();
});

function withMara(): FakeWarren {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist") } });
  return fake;
}

function Address() {
  return <output data-testid="search">{useSearch()}</output>;
}

const arrive = ({ tab }: FakeWarren) => act(() => tab.shareTray.put([shared]));

describe("a share from another app", () => {
  test("can be edited and sent to a chosen recipient", async () => {
    const fake = withMara();
    const { user } = renderWithWarren(<SharePage />, fake, { path: "/share" });
    arrive(fake);
    await user.click(screen.getByRole("button", { name: /Mara Lindqvist/ }));
    const dialog = within(await screen.findByRole("dialog", { name: "Send to Mara Lindqvist" }));
    await user.type(dialog.getByRole("textbox", { name: "Text" }), " now");
    await user.click(dialog.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(fake.argsOf("sendText")).toEqual([[mara, "Look: https://example.org/ now"]]));
    expect(fake.tab.shareTray.content().items).toEqual([]);
  });

  test("stays pending while nobody is here, and suggests the next step", async () => {
    const fake = fakeWarren();
    renderWithWarren(<SharePage />, fake, { path: "/share" });
    arrive(fake);
    expect(screen.getByText("Look: https://example.org/")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Share this room" })).toBeTruthy();
    act(() => fake.setRoom({ status: "disconnected", error: null }));
    expect(screen.getByRole("button", { name: "Join room" })).toBeTruthy();
    act(() => fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")])));
    expect(screen.getByRole("button", { name: /Mara Lindqvist/ })).toBeTruthy();
  });

  test("stays in the tray if sending fails", async () => {
    const fake = withMara();
    fake.fail("sendText", new Error("no"));
    const { user } = renderWithWarren(<SharePage />, fake, { path: "/share" });
    arrive(fake);
    await user.click(screen.getByRole("button", { name: /Mara Lindqvist/ }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Send" }));
    await screen.findByText("Failed to share text to Mara");
    expect(fake.tab.shareTray.content().items).toEqual([shared]);
  });

  test.each([
    ["Keep both", ["Look: https://example.org/", "Second"]],
    ["Keep only the new", ["Second"]],
    ["Keep only the earlier", ["Look: https://example.org/"]],
  ])("asks what to keep if another is pending: %s", async (answer, left) => {
    const fake = withMara();
    const { user } = renderWithWarren(<SharePage />, fake, { path: "/share" });
    arrive(fake);
    expect(screen.queryByRole("heading", { name: "New items were shared" })).toBeNull();
    act(() => fake.tab.shareTray.put([{ type: "text", text: "Second" }]));
    await user.click(
      within(screen.getByRole("region", { name: "New items were shared" })).getByRole("button", {
        name: answer,
      }),
    );
    expect(fake.tab.shareTray.content().items).toEqual(left.map((words) => ({ type: "text", text: words })));
    expect(screen.queryByRole("heading", { name: "New items were shared" })).toBeNull();
  });

  test("is announced on every other page until it is sent or discarded", async () => {
    const fake = withMara();
    const { user } = renderWithWarren(
      <>
        <ShareTrayBar />
        <SharePage />
      </>,
      fake,
    );
    arrive(fake);
    expect(screen.getByRole("link", { name: "Choose" }).getAttribute("href")).toBe("/share");
    await user.click(screen.getByRole("button", { name: "Discard" }));
    expect(screen.queryByRole("link", { name: "Choose" })).toBeNull();
    expect(screen.getByRole("heading", { name: "Nothing to share" })).toBeTruthy();
  });

  test("stays in the address until it is stored, and is added to the tray once", async () => {
    const fake = withMara();
    let keep = (): void => {};
    fake.tab.shareTray.persistBy(
      () =>
        new Promise((resolve) => {
          keep = resolve;
        }),
    );
    renderWithWarren(
      <>
        <SharePage />
        <Address />
      </>,
      fake,
      { path: "/share?text=High+at+nine" },
    );
    expect(screen.getByTestId("search").textContent).toBe("text=High+at+nine");
    expect(fake.tab.shareTray.content().items).toEqual([{ type: "text", text: "High at nine" }]);
    await act(async () => keep());
    expect(screen.getByTestId("search").textContent).toBe("");
    expect(fake.tab.shareTray.content().items).toHaveLength(1);
  });

  test("reports items that could not be stored", async () => {
    renderWithWarren(<SharePage />, withMara(), { path: "/share?left-out=2" });
    expect(await screen.findByText("2 shared items could not be kept")).toBeTruthy();
  });

  test("cannot be sent empty", async () => {
    const fake = withMara();
    const { user } = renderWithWarren(<SharePage />, fake, { path: "/share" });
    arrive(fake);
    await user.click(screen.getByRole("button", { name: /Mara Lindqvist/ }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.clear(dialog.getByRole("textbox", { name: "Text" }));
    expect(dialog.getByRole("button", { name: "Send" }).getAttribute("aria-disabled")).toBe("true");
    await user.keyboard("{Tab}{Enter}");
    expect(fake.argsOf("sendText")).toEqual([]);
  });
});
