import { expect, it, vi } from "vitest";
import { isNotificationPress, type NotificationPressMessage } from "./messages.ts";
import { passOnPress } from "./notification-press.ts";

const home = "https://warren.example/base/";
const data = { page: "page-2", path: "client/everyone/chat" };

/** A page that answers presses on its own notifications. */
function page(name: string, answer: "focus" | "done" = "focus") {
  const got: NotificationPressMessage[] = [];
  return {
    got,
    focus: vi.fn(async () => {}),
    postMessage: (message: unknown, [port]: readonly MessagePort[]) => {
      if (!isNotificationPress(message)) throw new Error("another message");
      got.push(message);
      if (message.page === name) port?.postMessage(answer);
    },
  };
}

function browser(pages: readonly ReturnType<typeof page>[]) {
  const openWindow = vi.fn(async (_url: string | URL) => null);
  const clients = { matchAll: async () => pages, openWindow } as unknown as Clients;
  let endWait = () => {};
  const delay = () => new Promise<void>((resolve) => (endWait = resolve));
  return { openWindow, deps: { clients, home, delay }, endWait: () => endWait() };
}

const press = { tag: "mara", data, action: "", reply: null };

it("reaches the page that showed it, and only that comes to the front", async () => {
  const [one, two] = [page("page-1"), page("page-2")];
  const { deps, openWindow } = browser([one, two]);
  await passOnPress(press, deps);
  expect(two.got).toEqual([
    { type: "notification-press", page: "page-2", tag: "mara", action: "", reply: null },
  ]);
  expect([one.focus.mock.calls.length, two.focus.mock.calls.length]).toEqual([0, 1]);
  expect(openWindow).not.toHaveBeenCalled();
});

it("leaves the page where it is if the press says everything", async () => {
  const shower = page("page-2", "done");
  const { deps } = browser([shower]);
  await passOnPress({ ...press, action: "reply", reply: `  ${"x".repeat(5_000)}` }, deps);
  expect(shower.got[0]?.reply).toHaveLength(4_000);
  expect(shower.focus).not.toHaveBeenCalled();
});

it("passes an empty reply on as none", async () => {
  const shower = page("page-2");
  await passOnPress({ ...press, action: "reply", reply: "  " }, browser([shower]).deps);
  expect(shower.got[0]?.reply).toBeNull();
});

it("opens the conversation if that page is gone, or does not answer", async () => {
  const gone = browser([]);
  await passOnPress(press, gone.deps);
  expect(String(gone.openWindow.mock.calls[0]?.[0])).toBe(`${home}client/everyone/chat`);
  const frozen = browser([page("page-1")]);
  const passed = passOnPress(press, frozen.deps);
  await vi.waitFor(() => frozen.endWait());
  await new Promise((resolve) => setTimeout(resolve));
  frozen.endWait();
  await passed;
  expect(frozen.openWindow).toHaveBeenCalledOnce();
});

it.each([null, 1, {}, { page: 1, path: "" }])(
  "does nothing for a notification with the data %j",
  async (other) => {
    const { deps, openWindow } = browser([]);
    await passOnPress({ ...press, data: other }, deps);
    expect(openWindow).not.toHaveBeenCalled();
  },
);

it.each([
  null,
  "notification-press",
  { type: "notification-press" },
  { type: "notification-press", page: "a", tag: "b", action: "c" },
  { type: "notification-press", page: "a", tag: "b", action: "c", reply: 1 },
  { type: "share-target", page: "a", tag: "b", action: "c", reply: null },
])("a page does not take %j for a press", (message) => {
  expect(isNotificationPress(message)).toBe(false);
});
