import { readRequest, type ShareTargetMessage, sharedStore } from "./messages.ts";
import { passOnPress } from "./notification-press.ts";
import { RequestHandler } from "./request-handler.ts";
import { openSharedStore } from "./shared-store.ts";
import { ShellCache, type ShellFile } from "./shell-cache.ts";
import { takeShare } from "./take-share.ts";

declare const self: ServiceWorkerGlobalScope;
/** Filled in by build/build-service-worker.ts. */
declare const __SHELL_VERSION__: string;
declare const __SHELL_FILES__: readonly ShellFile[];

/** The routes of https://w3c.github.io/ServiceWorker/#serviceworkerrouter, which the types lack. */
interface Route {
  readonly condition: { readonly urlPattern: string };
  readonly source: "cache";
}

interface RoutableInstallEvent extends ExtendableEvent {
  addRoutes?(routes: readonly Route[]): Promise<void>;
}

const home = new URL(".", self.location.href).href;
const shell = new ShellCache(
  { version: __SHELL_VERSION__, files: __SHELL_FILES__ },
  { caches: self.caches, fetch: (request) => fetch(request), home },
);
const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const handler = new RequestHandler({ shell, home, delay });

/**
 * What Chromium does itself, as {@link RequestHandler} would: hashed files do not pass through this worker. Pages do: a race
 * of the network with this worker once did not end after the server had gone (Chromium 150).
 */
const routes: readonly Route[] = [
  { condition: { urlPattern: `${new URL(home).pathname}assets/*` }, source: "cache" },
];

self.addEventListener("install", (event: RoutableInstallEvent) => {
  event.addRoutes?.(routes).catch(() => {}); // then every file passes through the handler
  // Then it waits until a page asks it to take over, because a page keeps the version it started with.
  event.waitUntil(shell.fill());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([shell.dropOthers(), choosePreload()]));
});

self.addEventListener("fetch", (event) => {
  const { request, clientId, resultingClientId } = event;
  const incoming = { request, clientId, resultingClientId, fetch: () => fetch(request) };
  switch (handler.kindOf(incoming)) {
    case "page": {
      const network = (async () => (await preloaded(event)) ?? fetch(request))();
      event.waitUntil(network.catch(() => {})); // even if the page was served from the cache
      event.respondWith(handler.page({ ...incoming, fetch: () => network }));
      break;
    }
    case "file":
      event.respondWith(handler.file(incoming));
      break;
    case "share":
      event.respondWith(share(event));
      break;
    case "nothing":
  }
});

self.addEventListener("message", (event) => {
  switch (readRequest(event.data)) {
    case "take-over":
      event.waitUntil(self.skipWaiting());
      break;
    case "take-over-when-alone":
      event.waitUntil(takeOverWhenAlone());
      break;
    case "tell-build":
      event.ports[0]?.postMessage(`${__COMMIT__} ${__BUILD_TIME__}`);
      break;
    case null:
  }
});

self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  // Not in the types: what was written into the notification.
  const reply = "reply" in event && typeof event.reply === "string" ? event.reply : null;
  const press = { tag: notification.tag, data: notification.data, action, reply };
  event.waitUntil(passOnPress(press, { clients: self.clients, home, delay }));
});

/** Firefox shows its own error page if a preload fails, whatever the worker responds (seen in ESR 140). */
function choosePreload(): Promise<void> | undefined {
  const { navigationPreload } = self.registration;
  const isFirefox = /\bFirefox\//.test(self.navigator.userAgent);
  return isFirefox ? navigationPreload?.disable() : navigationPreload?.enable();
}

/** The browser's preload of the page, requested while this worker was starting, if supported. */
async function preloaded(event: FetchEvent): Promise<Response | undefined> {
  const response: unknown = await event.preloadResponse;
  return response instanceof Response ? response : undefined;
}

async function takeOverWhenAlone(): Promise<void> {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.length <= 1) await self.skipWaiting();
}

/** Stores what another app shares, notifies open pages, and opens the share page. */
async function share(event: FetchEvent): Promise<Response> {
  let leftOut = 1;
  try {
    const form = await event.request.formData();
    const store = await openSharedStore();
    try {
      ({ leftOut } = await takeShare(form, store));
    } finally {
      store.close();
    }
    event.waitUntil(notifyPages());
  } catch {
    // Not a form, or the browser cannot store it: the page shows that something is missing.
  }
  const address = leftOut > 0 ? `share?left-out=${leftOut}` : "share";
  return Response.redirect(new URL(address, home), 303);
}

async function notifyPages(): Promise<void> {
  const channel = new BroadcastChannel(sharedStore);
  channel.postMessage("changed");
  channel.close();
  const message: ShareTargetMessage = { type: "share-target" };
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  for (const page of pages) page.postMessage(message);
}
