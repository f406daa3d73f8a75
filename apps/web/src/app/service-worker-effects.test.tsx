import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  clientIdOf,
  fakeContact,
  fakeFile,
  fakePeer,
  fakeTransfer,
  roomWith,
} from "../testing/fake-records.ts";
import { FakeServiceWorker, FakeServiceWorkers } from "../testing/fake-service-workers.ts";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { dialogStore, openDialog } from "../wiring/dialogs/open-dialog.ts";
import { toast } from "../wiring/toast.ts";
import { ServiceWorkerEffects } from "./service-worker-effects.ts";

const mara = clientIdOf(1);
const shared = { type: "text", text: "High at nine" } as const;
let workers: FakeServiceWorkers;

beforeEach(() => {
  workers = new FakeServiceWorkers();
  vi.stubGlobal("__COMMIT__", "abc");
  vi.stubGlobal("__BUILD_TIME__", "now");
});
afterEach(() => {
  act(() => {
    dialogStore.getState()?.dialog.cancel();
  });
  toast.dismiss();
  cleanup();
  Reflect.deleteProperty(navigator, "serviceWorker");
  vi.unstubAllGlobals();
});

function withMara(): FakeWarren {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist") } });
  return fake;
}

/** A page in a browser that accepts or rejects service workers. */
async function page(
  fake: FakeWarren,
  register = async () => workers.asRegistration,
  kept = new Map<string, string>(),
) {
  const container = Object.assign(workers, { register: vi.fn(register) });
  Object.defineProperty(navigator, "serviceWorker", { value: container, configurable: true });
  const tabStorage = {
    read: (key: string) => kept.get(key) ?? null,
    write: (key: string, value: string) => void kept.set(key, value),
    remove: (key: string) => void kept.delete(key),
  };
  const rereadShared = async () => act(() => fake.tab.shareTray.put([shared]));
  const rendered = renderWithWarren(
    <ServiceWorkerEffects startup={{ tabStorage, rereadShared, idle: Promise.resolve() }} />,
    fake,
  );
  await waitFor(() =>
    expect(container.register).toHaveBeenCalledWith("/sw.js", { scope: "/", updateViaCache: "none" }),
  );
  return rendered;
}

test("the first service worker is registered once no file is moving", async () => {
  const fake = withMara();
  const moving = fakeTransfer(fakeFile(mara, mara, {}, { state: "running" }, 1), mara);
  fake.setTransfer({ ...moving, now: { state: "running" } });
  const registered = page(fake);
  await new Promise((resolve) => setTimeout(resolve));
  expect(workers).toHaveProperty("register.mock.calls", []);
  act(() => fake.setTransfer({ ...moving, now: { state: "complete" } }));
  await registered;
});

const announceShare = () => act(() => workers.post({ type: "share-target" }));

describe("a share received while the page is open", () => {
  test("opens the forward dialog, and leaves the tray once sent", async () => {
    const focus = vi.spyOn(window, "focus");
    const fake = withMara();
    const { user } = await page(fake);
    announceShare();
    const dialog = within(await screen.findByRole("dialog", { name: "Forward" }));
    expect(focus).toHaveBeenCalled();
    expect(dialog.getByText("High at nine")).toBeTruthy();
    await user.click(dialog.getByRole("checkbox", { name: /Mara/ }));
    await user.click(dialog.getByRole("button", { name: "Forward" }));
    await waitFor(() => expect(fake.argsOf("sendText")).toEqual([[mara, "High at nine"]]));
    await waitFor(() => expect(fake.tab.shareTray.content().items).toEqual([]));
  });

  test("stays in the tray if the dialog is closed", async () => {
    const fake = withMara();
    const { user } = await page(fake);
    announceShare();
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel" }));
    expect(fake.tab.shareTray.content().items).toEqual([shared]);
  });

  test("stays in the tray without recipients, and where a dialog would be lost", async () => {
    const fake = fakeWarren();
    fake.setRoom({ status: "disconnected", error: null });
    await page(fake);
    announceShare();
    await waitFor(() => expect(fake.tab.shareTray.content().items).toEqual([shared]));
    expect(dialogStore.getState()?.open ?? false).toBe(false);

    act(() => fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")])));
    act(() => void openDialog(() => <p>Half filled in</p>, {}));
    announceShare();
    await waitFor(() => expect(fake.tab.shareTray.store.getState()).toHaveLength(2));
    expect(screen.getByText("Half filled in")).toBeTruthy();
  });

  test("ignores other messages that a script may have sent", async () => {
    const fake = withMara();
    await page(fake);
    act(() => {
      for (const data of [null, "share-target", { type: "other" }]) workers.post(data);
    });
    expect(fake.tab.shareTray.content().items).toEqual([]);
  });
});

describe("a new version", () => {
  test("is offered with Reload and Close, and not again once closed", async () => {
    workers.control(new FakeServiceWorker("before", "activated"));
    workers.registration.waiting = new FakeServiceWorker("next");
    const fake = withMara();
    const { user } = await page(fake);
    const offer = (await screen.findByText("A new version is ready")).closest("li");
    if (offer === null) throw new Error("no toast");
    expect(within(offer).getByRole("button", { name: "Reload" })).toBeTruthy();
    // The region of toasts takes presses only once it knows that it has one.
    await waitFor(() => user.click(within(offer).getByRole("button", { name: "Close" })));
    await waitFor(() => expect(screen.queryByText("A new version is ready")).toBeNull());
  });

  test("is applied if this tab was prompted before and nothing is in the way", async () => {
    vi.spyOn(location, "reload").mockImplementation(() => {});
    workers.control(new FakeServiceWorker("before", "activated"));
    const next = new FakeServiceWorker("next");
    workers.registration.waiting = next;
    const fake = withMara();
    await page(fake, undefined, new Map([["prompted", "true"]]));
    await waitFor(() => expect(next.asked).toContain("take-over"));
    expect(screen.queryByText("A new version is ready")).toBeNull();
  });

  test.each<[string, (fake: FakeWarren) => void]>([
    [
      "a file moves",
      (fake) => {
        const transfer = fakeTransfer(fakeFile(mara, mara, {}, { state: "running" }, 1), mara);
        fake.setTransfer({ ...transfer, now: { state: "running" } });
      },
    ],
    [
      "attachments are unsent",
      ({ tab }) => tab.drafts.attach(mara, { files: [new File(["1"], "1.png")], folders: [] }),
    ],
  ])("is offered instead of applied while %s, even if this tab was prompted before", async (_, begin) => {
    const fake = withMara();
    begin(fake);
    workers.control(new FakeServiceWorker("before", "activated"));
    const next = new FakeServiceWorker("next");
    workers.registration.waiting = next;
    await page(fake, undefined, new Map([["prompted", "true"]]));
    await screen.findByText("A new version is ready");
    expect(next.asked).toEqual(["tell-build"]);
  });
});

test("a service worker that fails to register is logged but not shown", async () => {
  const log = vi.spyOn(console, "info").mockImplementation(() => {});
  const fake = withMara();
  await page(fake, () => Promise.reject(new Error("insecure")));
  await waitFor(() =>
    expect(log).toHaveBeenCalledWith("the service worker is not registered", new Error("insecure")),
  );
  expect(screen.queryAllByRole("listitem")).toEqual([]);
});
