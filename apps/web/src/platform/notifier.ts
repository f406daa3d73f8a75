import { SerialQueue } from "@warren/core";
import type { NotificationData } from "../service-worker/messages.ts";
import { isNotificationPress } from "../service-worker/messages.ts";
import { delay } from "./delay.ts";

/** Whether a page may show notifications: `default` until the person was asked. */
export type NotificationAccess = NotificationPermission | "unsupported";

export interface NotificationButton {
  readonly action: string;
  readonly title: string;
  /** Lets people write into the notification, where the browser can. */
  readonly placeholder?: string;
}

/** A notification, by what the page needs of it. */
export interface NotificationContent {
  /** A notification replaces the one with the same tag. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  /** Whether it draws attention again if it replaces one. */
  readonly isNew: boolean;
  /** Stays until it is pressed or closed, where the browser can. */
  readonly lasts: boolean;
  /** The address of what it is about. */
  readonly path: string;
  readonly buttons: readonly NotificationButton[];
}

/** A press on a notification of this page. */
export interface NotificationPress {
  readonly tag: string;
  /** The pressed button; empty for the notification itself. */
  readonly action: string;
  readonly reply: string | null;
}

/** Handles a press. @returns whether the page has to come to the front for it. */
type PressListener = (press: NotificationPress) => boolean;

/** The notifications of this page. */
export interface Notifier {
  access(): NotificationAccess;
  /** Calls back when the access may have changed. @returns a function that ends this. */
  onAccessChange(listener: () => void): () => void;
  /** Asks the person, in response to a press. */
  request(): Promise<NotificationAccess>;
  /** Resolves once it is shown, or the browser cannot. */
  show(note: NotificationContent): Promise<void>;
  close(tag: string): void;
  closeAll(): void;
  onPress(listener: PressListener): () => void;
}

/** A service worker that does not answer in this time is done without. */
const workerMs = 2_000;
/** What a browser has not shown or closed by then holds up none that follow. */
const turnMs = 5_000;

/** What browsers know of a notification beyond the types. */
interface ExtendedNotificationOptions extends NotificationOptions {
  renotify?: boolean;
  actions?: readonly { action: string; title: string; type?: "text"; placeholder?: string }[];
}

/** By the service worker if there is one, which alone can show buttons and pass presses on; otherwise by the page itself. */
export function browserNotifier(icon: string): Notifier {
  const page = crypto.getRandomValues(new Uint32Array(4)).join("-");
  const listeners = new Set<PressListener>();
  /** Those that the page shows itself. */
  const own = new Map<string, Notification>();
  /** Shown and closed in the order of the calls. */
  const steps = new SerialQueue();

  const press = (pressed: NotificationPress): boolean =>
    [...listeners].map((listener) => listener(pressed)).includes(true);
  const inTurn = (step: () => Promise<void>): Promise<void> =>
    steps
      .run(() => Promise.race([step(), delay(turnMs)]))
      .catch((failure: unknown) => {
        // biome-ignore lint/suspicious/noConsole: only logged: the page itself shows everything too
        console.info("a notification failed", failure);
      });
  const shownBy = async (registration: ServiceWorkerRegistration): Promise<readonly Notification[]> =>
    (await registration.getNotifications()).filter(
      ({ data }) => (data as Partial<NotificationData> | null)?.page === page,
    );

  const show = async (note: NotificationContent): Promise<void> => {
    if (access() !== "granted") return;
    const data: NotificationData = { page, path: note.path };
    const options: ExtendedNotificationOptions = {
      ...{ tag: note.tag, body: note.body, icon, data, renotify: note.isNew },
      requireInteraction: note.lasts,
      // Sounds are the page's own, and a matter of their own option.
      silent: true,
    };
    const registration = await activeWorker();
    if (registration) {
      const actions = note.buttons.map(({ placeholder, ...button }) => ({
        ...button,
        ...(placeholder !== undefined && { type: "text" as const, placeholder }),
      }));
      return registration.showNotification(note.title, {
        ...options,
        actions,
      } as ExtendedNotificationOptions);
    }
    const shown = new Notification(note.title, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
      press({ tag: note.tag, action: "", reply: null });
    };
    own.set(note.tag, shown);
  };

  const closeWhere = async (isMeant: (tag: string) => boolean): Promise<void> => {
    for (const [tag, shown] of own) {
      if (!isMeant(tag)) continue;
      shown.close();
      own.delete(tag);
    }
    const registration = access() === "granted" ? await activeWorker() : null;
    for (const shown of registration ? await shownBy(registration) : [])
      if (isMeant(shown.tag)) shown.close();
  };

  return {
    access,
    onAccessChange,
    request: async () => ("Notification" in globalThis ? Notification.requestPermission() : "unsupported"),
    show: (note) => inTurn(() => show(note)),
    close: (tag) => void inTurn(() => closeWhere((other) => other === tag)),
    closeAll: () => void inTurn(() => closeWhere(() => true)),
    onPress: (listener) => {
      listeners.add(listener);
      const listening = new AbortController();
      // Missing outside secure contexts, whatever the types say.
      const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
      workers?.addEventListener(
        "message",
        ({ data, ports }: MessageEvent<unknown>) => {
          if (!isNotificationPress(data) || data.page !== page) return;
          ports[0]?.postMessage(listener(data) ? "focus" : "done");
        },
        { signal: listening.signal },
      );
      return () => {
        listeners.delete(listener);
        listening.abort();
      };
    },
  };
}

function access(): NotificationAccess {
  return "Notification" in globalThis ? Notification.permission : "unsupported";
}

function onAccessChange(listener: () => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  // Settings of the browser are changed beside the page.
  document.addEventListener("visibilitychange", listener, { signal });
  window.addEventListener("focus", listener, { signal });
  // Missing in some browsers, whatever the types say; some do not know the name.
  const { permissions }: { permissions?: Permissions } = navigator;
  permissions
    ?.query({ name: "notifications" })
    .then((status) => status.addEventListener("change", listener, { signal }))
    .catch(() => {});
  return () => listening.abort();
}

/** The service worker of this page, if there is one that works. */
async function activeWorker(): Promise<ServiceWorkerRegistration | null> {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  if (workers === undefined) return null;
  const registration = await Promise.race([workers.getRegistration(), delay(workerMs)]).catch(() => null);
  return registration?.active ? registration : null;
}
