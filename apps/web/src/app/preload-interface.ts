/**
 * Fetches the interface, whose link the build writes into the page without a `rel` (see build/write-head.ts). As a module the
 * browser compiles it on another thread while it arrives: that is what a first visit waits for. As a file it is read from the
 * code cache, which a browser has from the third visit on and of which Chromium reads nothing for preloaded modules. The
 * service worker controls all visits but the first.
 */
export function preloadInterface(): void {
  const link = document.querySelector<HTMLLinkElement>("#interface");
  if (link === null) return; // in development
  const isFirst = !navigator.serviceWorker?.controller; // there is none outside secure contexts
  link.rel = isFirst && link.relList.supports("modulepreload") ? "modulepreload" : "preload";
}
