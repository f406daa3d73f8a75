import { useShortcutsHelp } from "../ui/shortcuts-dialog.tsx";
import { ServiceWorkerNews } from "./startup/service-worker-news.tsx";
import type { Startup } from "./startup/use-startup.ts";

/** What every page does that can wait until it is idle. Development has no service worker. */
export function WhenIdle({ startup }: { readonly startup: Startup }) {
  useShortcutsHelp();
  return import.meta.env.PROD && <ServiceWorkerNews startup={startup} />;
}
