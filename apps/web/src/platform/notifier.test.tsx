import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { browserNotifier, type NotificationContent } from "./notifier.ts";

const note: NotificationContent = {
  ...{ tag: "mara", title: "Mara", body: "Hello", isNew: true, lasts: false, path: "client/mara/chat" },
  buttons: [{ action: "reply", title: "Reply", placeholder: "Message" }],
};

/** A notification of the page itself. */
class PageNotification {
  static permission: NotificationPermission = "granted";
  static made: PageNotification[] = [];
  static requestPermission = vi.fn(async () => PageNotification.permission);
  onclick: (() => void) | null = null;
  close = vi.fn();
  readonly title: string;
  readonly options: NotificationOptions;

  constructor(title: string, options: NotificationOptions) {
    this.title = title;
    this.options = options;
    PageNotification.made.push(this);
  }
}

/** The service workers of a browser with one that works, with what it shows. */
function workersWith({ isActive = true } = {}) {
  const shown: { tag: string; data: unknown; title: string; options: unknown; close: () => void }[] = [];
  const registration = {
    active: isActive ? {} : null,
    showNotification: vi.fn(async (title: string, options: NotificationOptions) => {
      const { tag = "", data } = options;
      const entry = {
        tag,
        data: data as unknown,
        title,
        options,
        close: () => void shown.splice(shown.indexOf(entry), 1),
      };
      shown.push(entry);
    }),
    getNotifications: async () => [...shown],
  };
  const workers = Object.assign(new EventTarget(), { getRegistration: async () => registration });
  Object.defineProperty(navigator, "serviceWorker", { value: workers, configurable: true });
  return { shown, workers };
}

beforeEach(() => {
  PageNotification.made = [];
  PageNotification.permission = "granted";
  PageNotification.requestPermission.mockClear();
  vi.stubGlobal("Notification", PageNotification);
  Object.defineProperty(navigator, "serviceWorker", { value: undefined, configurable: true });
});

afterEach(() => vi.unstubAllGlobals());

it("never asks by itself, and shows nothing without permission", async () => {
  PageNotification.permission = "default";
  const { shown } = workersWith();
  const notifier = browserNotifier("/icon.png");
  await notifier.show(note);
  expect([shown, PageNotification.made]).toEqual([[], []]);
  expect(PageNotification.requestPermission).not.toHaveBeenCalled();
  await notifier.request();
  expect(PageNotification.requestPermission).toHaveBeenCalledOnce();
});

it("shows by the service worker, silently and with buttons, and closes only its own", async () => {
  const { shown } = workersWith();
  const notifier = browserNotifier("/icon.png");
  const other = browserNotifier("/icon.png");
  await other.show({ ...note, title: "Of another tab" });
  await notifier.show(note);
  expect(shown.map(({ title }) => title)).toEqual(["Of another tab", "Mara"]);
  expect(shown[1]?.options).toMatchObject({
    ...{ tag: "mara", body: "Hello", silent: true, renotify: true, requireInteraction: false },
    actions: [{ action: "reply", title: "Reply", type: "text", placeholder: "Message" }],
  });
  notifier.close("jun");
  notifier.closeAll();
  await vi.waitFor(() => expect(shown.map(({ title }) => title)).toEqual(["Of another tab"]));
});

it.each([undefined, { isActive: false }])(
  "shows without a service worker that works (%j)",
  async (worker) => {
    if (worker) workersWith(worker);
    const notifier = browserNotifier("/icon.png");
    const presses: unknown[] = [];
    notifier.onPress((press) => presses.push(press) > 0);
    await notifier.show(note);
    const [shown] = PageNotification.made;
    expect(shown?.options).toMatchObject({ tag: "mara", body: "Hello", silent: true });
    shown?.onclick?.();
    expect(presses).toEqual([{ tag: "mara", action: "", reply: null }]);
    notifier.close("mara");
    await vi.waitFor(() => expect(shown?.close).toHaveBeenCalled());
  },
);

it("is held up by nothing that the browser never answers", async () => {
  vi.useFakeTimers();
  const { workers } = workersWith();
  const registration = await workers.getRegistration();
  registration.showNotification.mockImplementationOnce(() => new Promise(() => {}));
  const notifier = browserNotifier("/icon.png");
  void notifier.show(note);
  const shown = notifier.show({ ...note, tag: "jun" });
  await vi.advanceTimersByTimeAsync(6_000);
  await shown;
  expect(registration.showNotification).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

it("answers presses on its own notifications, as told by the service worker", async () => {
  const { shown, workers } = workersWith();
  const notifier = browserNotifier("/icon.png");
  const stop = notifier.onPress(({ action }) => action === "");
  await notifier.show(note);
  const page = (shown[0]?.data as { page?: string } | undefined)?.page;
  const answers: unknown[] = [];
  const tell = (data: object) =>
    workers.dispatchEvent(
      Object.assign(new Event("message"), {
        data,
        ports: [{ postMessage: (answer: unknown) => answers.push(answer) }],
      }),
    );
  const message = { type: "notification-press", page, tag: "mara", action: "", reply: null };
  tell(message);
  tell({ ...message, action: "reply", reply: "Hi" });
  tell({ ...message, page: "of another tab" });
  tell({ ...message, reply: 3 });
  expect(answers).toEqual(["focus", "done"]);
  stop();
  tell(message);
  expect(answers).toHaveLength(2);
});

it("goes on when the browser refuses, as Android does without a service worker", async () => {
  vi.spyOn(console, "info").mockImplementation(() => {});
  vi.stubGlobal(
    "Notification",
    Object.assign(
      class {
        constructor() {
          throw new TypeError("Illegal constructor");
        }
      },
      { permission: "granted" },
    ),
  );
  const notifier = browserNotifier("/icon.png");
  await notifier.show(note);
  await expect(notifier.show(note)).resolves.toBeUndefined();
});

it("knows where browsers have none", async () => {
  vi.unstubAllGlobals();
  const { Notification: own } = globalThis as { Notification?: unknown };
  Reflect.deleteProperty(globalThis, "Notification");
  const notifier = browserNotifier("/icon.png");
  expect([notifier.access(), await notifier.request()]).toEqual(["unsupported", "unsupported"]);
  if (own) Object.assign(globalThis, { Notification: own });
});
