import type { ReadableStore } from "@warren/core";
import { createStore } from "zustand/vanilla";

export interface ToastButton {
  readonly label: string;
  readonly onClick: () => void;
}

interface ToastOptions {
  /** A toast replaces the one with the same id. */
  readonly id?: string;
  readonly description?: string;
  /** What it is about, such as an address or a text: one line, cut where it does not fit. */
  readonly quote?: string;
  readonly durationMs?: number;
  readonly action?: ToastButton;
  /** A second, less prominent action. */
  readonly cancel?: ToastButton;
}

export type ToastKind = "success" | "info" | "warning" | "error" | "loading";

/** A toast as seen by the toaster. */
export interface ShownToast extends ToastOptions {
  readonly id: string;
  readonly kind: ToastKind;
  readonly title: string;
  /** Differs between toasts of the same id: each is read out and shown for its whole time. */
  readonly revision: number;
  /** A closed one stays while it fades out. */
  readonly open: boolean;
}

/** How long a closed toast fades out. */
const fadeOutMs = 200;

const store = createStore<readonly ShownToast[]>(() => []);
let lastRevision = 0;

/** All toasts, the oldest first; only this module writes to it. */
export const toastStore: ReadableStore<readonly ShownToast[]> = store;

function toastOf(kind: ToastKind) {
  return (title: string, options: ToastOptions = {}): string => {
    const toasts = store.getState();
    // The same error again takes the place of the first, unless each has something to press.
    const same = toasts.find(
      (one) =>
        one.open &&
        kind === "error" &&
        one.kind === kind &&
        one.title === title &&
        one.description === options.description &&
        one.action === undefined &&
        options.action === undefined,
    );
    const id = options.id ?? same?.id ?? `toast-${++lastRevision}`;
    // What is loading changes in place.
    const before = toasts.find((one) => one.id === id && one.open && one.kind === "loading");
    const shown = { ...options, id, kind, title, open: true, revision: before?.revision ?? ++lastRevision };
    const next =
      before === undefined
        ? [...toasts.filter((one) => one.id !== id), shown]
        : toasts.map((one) => (one === before ? shown : one));
    store.setState(next, true);
    return id;
  };
}

export function closeToasts(isClosed: (toast: ShownToast) => boolean): void {
  const mark = (toast: ShownToast) => (isClosed(toast) ? { ...toast, open: false } : toast);
  store.setState((toasts) => toasts.map(mark), true);
  setTimeout(() => store.setState((toasts) => toasts.filter(({ open }) => open), true), fadeOutMs);
}

/** Shows a temporary message. Each call returns an id for `dismiss`; without an id, `dismiss` removes all. */
export const toast = {
  success: toastOf("success"),
  info: toastOf("info"),
  warning: toastOf("warning"),
  error: toastOf("error"),
  /** Stays until it is replaced by a toast with the same id, or dismissed. */
  loading: toastOf("loading"),
  dismiss: (id?: string) => closeToasts((toast) => id === undefined || toast.id === id),
} as const;
