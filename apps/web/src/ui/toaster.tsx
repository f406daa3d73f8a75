import type { ExternalToast } from "sonner";
import { Loaded, onDemand } from "./on-demand.tsx";
import type { ShowToasts, ToastRegionProps } from "./toast-region.tsx";

const region = onDemand(() => import("./toast-region.tsx"));

type ToastKind = Exclude<keyof ShowToasts, "dismiss">;
type Show = (toasts: ShowToasts) => void;

/** What shows toasts now; null while nothing does. */
let toasts: ShowToasts | null = null;
/** What came before the region did. */
let waiting: Show[] = [];
let lastId = 0;

function setToasts(next: ShowToasts | null): void {
  toasts = next;
  if (next === null) return;
  const queued = waiting;
  waiting = [];
  for (const show of queued) show(next);
}

function toastOf(kind: ToastKind) {
  return (title: string, options: ExternalToast = {}): string | number => {
    const id = options.id ?? `toast-${++lastId}`;
    const show: Show = (shown) => shown[kind](title, { ...options, id });
    if (toasts) show(toasts);
    else waiting.push(show);
    region.load().catch(() => {}); // offline before it was ever needed: it is tried again with the next toast
    return id;
  };
}

/** Tells something that passes. Each gives the id by which `dismiss` takes it away; without one, all go. */
export const toast = {
  success: toastOf("success"),
  info: toastOf("info"),
  warning: toastOf("warning"),
  error: toastOf("error"),
  dismiss(id?: string | number): void {
    if (toasts) toasts.dismiss(id);
    else if (id === undefined) waiting = [];
    else waiting.push((shown) => shown.dismiss(id));
  },
} as const;

/** The place of the toasts. It stands once; its code is fetched with the first toast, or at rest. */
export function Toaster(props: Omit<ToastRegionProps, "onChange">) {
  return (
    <Loaded code={region}>{({ ToastRegion }) => <ToastRegion {...props} onChange={setToasts} />}</Loaded>
  );
}
