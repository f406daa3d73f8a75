import * as Radix from "radix-ui/toast";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { cx } from "../ui/cx.ts";
import { useHeightProperty } from "../ui/hooks/use-height-property.ts";
import { AlertIcon, CheckIcon, CloseIcon, InfoIcon, WarningIcon } from "../ui/icons.ts";
import { Spinner } from "../ui/spinner.tsx";
import { isShortcut } from "./shortcuts/shortcuts.ts";
import { closeToasts, type ShownToast, type ToastButton, type ToastKind, toastStore } from "./toast.ts";
import { useStore } from "./warren-context.ts";

const icons = {
  success: <CheckIcon size={18} className="stroke-[2.4] text-accent-text" />,
  info: <InfoIcon size={18} className="text-text-2" />,
  warning: <WarningIcon size={18} className="text-warn" />,
  error: <AlertIcon size={18} className="text-danger" />,
  loading: <Spinner size={18} className="text-text-2" />,
} as const satisfies Readonly<Record<ToastKind, ReactNode>>;

const defaultDurationMs = 4_000;
/** Radix closes beyond it, and 20 px are to be enough. */
const swipeThresholdPx = 19;
const gapPx = 14;
const edgePx = 32;

interface ToasterProps {
  /** Top centre on a narrow screen, bottom right on a wide one. */
  readonly narrow: boolean;
  /** Name of the region that holds the toasts. */
  readonly label: string;
}

/**
 * Shows the toasts: 3 at once, 4 s each, 356 px wide, 14 px apart, 32 px from the window's edge; Alt+T
 * and F8 focus them. A composer or action bar at the foot of the window keeps toasts clear of itself by setting
 * its height as `--toast-inset` on the root element; on a narrow screen, banners, the head of a room and the bar of a call
 * (`--toast-tile`) do so with theirs; a head without other buttons keeps its menu free with `--toast-beside`. Toasts glide out of the
 * way. Content that must stay clear of toasts leaves `--toast-space` free.
 */
export function Toaster({ narrow, label }: ToasterProps) {
  const toasts = useStore(toastStore);
  const isEmpty = toasts.length === 0;
  const list = useRef<HTMLOListElement>(null);
  // Radix reads toasts out with a copy of their words; the list is a live region itself, which no modal dialog hides.
  const [nowhere] = useState(() => document.createDocumentFragment());
  useHeightProperty(list, isEmpty ? undefined : "--toast-space", gapPx + edgePx);
  useToastKeys(list, isEmpty);
  return (
    <Radix.Provider
      key={useRound(isEmpty)}
      announcerContainer={nowhere}
      label={label}
      swipeDirection={narrow ? "up" : "right"}
      swipeThreshold={swipeThresholdPx}
    >
      {toasts.map((one) => (
        <ToastItem key={one.revision} toast={one} />
      ))}
      <Radix.Viewport
        ref={list}
        label={label}
        hotkey={noKeys}
        aria-live="polite"
        className={cx(
          "pointer-events-none fixed z-toast flex gap-[14px] outline-none transition-[translate] duration-200 [&>li:nth-last-child(n+4)]:hidden",
          narrow
            ? "right-[calc(12px+var(--toast-beside,0px))] left-3 top-[calc(8px+env(safe-area-inset-top)+56px)] translate-y-[calc(var(--toast-tile,0px)+var(--banner-height,0px)+var(--connection-height,0px)+var(--room-head,0px))] flex-col-reverse min-[601px]:right-3 min-[601px]:mx-auto min-[601px]:w-[356px]"
            : "right-8 bottom-8 w-[356px] translate-y-[calc(-1*var(--toast-inset,0px))] flex-col",
        )}
      />
    </Radix.Provider>
  );
}

/** Radix pauses under the pointer, and stays paused if the last toast goes from under it: so each round has its own. */
function useRound(isEmpty: boolean): number {
  const [round, setRound] = useState({ isEmpty, number: 0 });
  if (round.isEmpty === isEmpty) return round.number;
  const next = { isEmpty, number: round.number + (isEmpty ? 1 : 0) };
  setRound(next);
  return next.number;
}

/** Radix takes AltGr, with which people write, for Alt. */
const noKeys: string[] = [];

interface ToastItemProps {
  readonly toast: ShownToast;
}

function ToastItem({ toast: shown }: ToastItemProps) {
  const t = useT();
  const {
    kind,
    title,
    description,
    quote,
    action,
    cancel,
    durationMs = defaultDurationMs,
    revision,
    open,
  } = shown;
  const alignment = (description ?? quote) === undefined ? "items-center" : "items-start";
  return (
    <Radix.Root
      open={open}
      onOpenChange={() => closeToasts((one) => one.revision === revision)}
      duration={kind === "loading" ? Number.POSITIVE_INFINITY : durationMs}
      data-toast={kind}
      // Radix lets the pointer through its list until it has counted the toasts, which may take a while.
      style={{ pointerEvents: "auto" }}
      className={cx(
        "relative flex gap-x-3 rounded-menu bg-raised py-3 pr-11 pl-4 text-body text-text shadow-menu outline-none animate-rise data-[state=closed]:animate-fade-out",
        "data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=move]:translate-y-(--radix-toast-swipe-move-y) data-[swipe=cancel]:translate-0 data-[swipe=cancel]:transition-[translate]",
        "focus-visible:shadow-[0_0_0_2px_var(--focus),var(--shadow-low)]",
        alignment,
      )}
    >
      <span className="mt-px flex size-[18px] shrink-0 items-center justify-center">{icons[kind]}</span>
      {/* Buttons that find no space beside the words stand below them, not below the icon. */}
      <div className={cx("flex min-w-0 flex-1 flex-wrap gap-x-3 gap-y-2", alignment)}>
        <div className="min-w-0 flex-1 basis-48 break-words">
          <Radix.Title className="font-medium">{title}</Radix.Title>
          {description !== undefined && (
            <Radix.Description className="text-compact text-text-2">{description}</Radix.Description>
          )}
          {quote !== undefined && (
            <Radix.Description className="truncate text-compact text-text-2">{quote}</Radix.Description>
          )}
        </div>
        {cancel && <ToastAction {...cancel} className="border-line-2 bg-raised text-text hover:bg-hover" />}
        {action && (
          <ToastAction
            {...action}
            className="border-transparent bg-accent text-on-accent hover:bg-accent-hover"
          />
        )}
      </div>
      <Radix.Close
        aria-label={t("common.close")}
        className="absolute top-2 right-2 flex size-7 items-center justify-center rounded-control text-text-2 transition-colors hover:bg-hover hover:text-text touch:-top-0.5 touch:-right-0.5 touch:size-11"
      >
        <CloseIcon size={16} />
      </Radix.Close>
    </Radix.Root>
  );
}

function ToastAction({ label, onClick, className }: ToastButton & { readonly className: string }) {
  return (
    <Radix.Action
      altText={label}
      onClick={onClick}
      className={cx(
        "inline-flex h-7 shrink-0 items-center rounded-control border px-[9px] text-compact font-medium transition-colors touch:h-11",
        className,
      )}
    >
      {label}
    </Radix.Action>
  );
}

/** The shortcut that focuses the toasts. The focus returns when they are gone. */
function useToastKeys(list: RefObject<HTMLElement | null>, isEmpty: boolean): void {
  useEffect(() => {
    if (isEmpty) return;
    const region = list.current;
    let origin: Element | null = null;
    const listening = new AbortController();
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isShortcut(event, "toasts")) return;
      event.preventDefault();
      if (!region?.contains(document.activeElement)) origin = document.activeElement;
      region?.focus();
    };
    document.addEventListener("keydown", onKeyDown, { signal: listening.signal });
    return () => {
      listening.abort();
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && origin instanceof HTMLElement) origin.focus();
    };
  }, [list, isEmpty]);
}
