import type { ExternalToast } from "sonner";
import { Loaded, onDemand } from "./on-demand.tsx";
import type { ShowToasts, ToastRegionProps } from "./toast-region.tsx";

const region = onDemand(() => import("./toast-region.tsx"));

type ToastKind = Exclude<keyof ShowToasts, "dismiss">;
type Show = (toasts: ShowToasts) => void;

/** What shows toasts now; null while nothing does. */
let toasts: ShowToasts | null = null;
/** What came before the region did, by the toast's id. */
const waiting = new Map<string | number, Show>();
/** What is about to be taken away: timers by the toast's id. */
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
  /** Stays until one of another kind takes its place, by its id, or it is taken away. */
  loading: toastOf("loading"),
  dismiss(id?: string | number): void {
    if (id === undefined) {
      waiting.clear();
      toasts?.dismiss();
      return;
    }
    waiting.delete(id);
    clearTimeout(leaving.get(id));
    // A toast stands only after a timer of sonner's: one taken away before that would stay.
    leaving.set(
      id,
      setTimeout(() => {
        leaving.delete(id);
        toasts?.dismiss(id);
      }),
    );
  },
} as const;

/** The place of the toasts. It stands once; its code is fetched with the first toast, or at rest. */
export function Toaster(props: Omit<ToastRegionProps, "onChange">) {
  return (
    <Loaded code={region}>{({ ToastRegion }) => <ToastRegion {...props} onChange={setToasts} />}</Loaded>
  );
}
