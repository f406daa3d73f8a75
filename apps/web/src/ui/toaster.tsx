import type { ExternalToast } from "sonner";
import { Loaded, onDemand } from "./on-demand.tsx";
import type { ShowToasts, ToastRegionProps } from "./toast-region.tsx";

const region = onDemand(() => import("./toast-region.tsx"));

type ToastKind = Exclude<keyof ShowToasts, "dismiss">;
type Show = (toasts: ShowToasts) => void;

/** The functions for showing toasts; null while no region is mounted. */
let toasts: ShowToasts | null = null;
/** Toasts requested before the region was mounted, by id. */
const waiting = new Map<string | number, Show>();
/** Toasts about to be dismissed: timers by toast id. */
const leaving = new Map<string | number, ReturnType<typeof setTimeout>>();
let lastId = 0;

function setToasts(next: ShowToasts | null): void {
  toasts = next;
  if (next === null) return;
  const queued = [...waiting.values()];
  waiting.clear();
  for (const show of queued) show(next);
}

function toastOf(kind: ToastKind) {
  return (title: string, options: ExternalToast = {}): string | number => {
    const id = options.id ?? `toast-${++lastId}`;
    const show: Show = (shown) => shown[kind](title, { ...options, id });
    clearTimeout(leaving.get(id));
    leaving.delete(id);
    if (toasts) show(toasts);
    else waiting.set(id, show);
    region.load().catch(() => {}); // the next toast retries
    return id;
  };
}

/** Shows a temporary message. Each call returns an id for `dismiss`; without an id, `dismiss` removes all. */
export const toast = {
  success: toastOf("success"),
  info: toastOf("info"),
  warning: toastOf("warning"),
  error: toastOf("error"),
  /** Stays until it is replaced by a toast with the same id, or dismissed. */
  loading: toastOf("loading"),
  dismiss(id?: string | number): void {
    if (id === undefined) {
      waiting.clear();
      toasts?.dismiss();
      return;
    }
    waiting.delete(id);
    clearTimeout(leaving.get(id));
    // Sonner adds a toast after a timer: one dismissed before that would stay.
    leaving.set(
      id,
      setTimeout(() => {
        leaving.delete(id);
        toasts?.dismiss(id);
      }),
    );
  },
} as const;

/**
 * The region for toasts. Mounted once; its code is fetched with the first toast, or once the page is idle.
 */
export function Toaster(props: Omit<ToastRegionProps, "onChange">) {
  return (
    <Loaded code={region}>{({ ToastRegion }) => <ToastRegion {...props} onChange={setToasts} />}</Loaded>
  );
}
