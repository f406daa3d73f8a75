import { type RefObject, useEffect, useRef } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { AlertIcon, CheckIcon, CloseIcon, InfoIcon, WarningIcon } from "./icons.ts";
import { isShortcut } from "./shortcuts.ts";
import { Spinner } from "./spinner.tsx";

const button =
  "inline-flex h-7 shrink-0 items-center rounded-control border px-[9px] text-compact font-medium transition-colors touch:h-11";

const noKeys: string[] = [];
const gapPx = 14;
const edgePx = 32;

/** Sonner's functions for showing toasts. */
export type ShowToasts = Pick<typeof toast, "success" | "info" | "warning" | "error" | "loading" | "dismiss">;

export interface ToastRegionProps {
  /** Top centre on a narrow screen, bottom right on a wide one. */
  readonly narrow: boolean;
  /** Name of the region that holds the toasts. */
  readonly label: string;
  readonly closeLabel: string;
  /**
   * Called with the functions for showing toasts once the region is mounted, and with null when it is
   * unmounted.
   */
  readonly onChange: (show: ShowToasts | null) => void;
}

/**
 * Shows the toasts: 3 at once, 4 s each, 356 px wide, 14 px apart, 32 px from the window's edge; Alt+T
 * and F8 focus them. A composer or action bar at the foot of the window keeps toasts clear of itself by setting
 * its height as `--toast-inset` on the root element; a header does so on narrow screens with
 * `--toast-inset-top`. Content that must stay clear of toasts leaves `--toast-room` free.
 */
export function ToastRegion({ narrow, label, closeLabel, onChange }: ToastRegionProps) {
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    onChange(toast);
    return () => onChange(null);
  }, [onChange]);
  useToastRoom(region);
  useToastKeys(region);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: not a control: it receives the focus events of the toasts
    <div
      ref={region}
      onFocus={({ target }) => hold(target)}
      onBlur={(event) => release(event.target, event.relatedTarget)}
    >
      <Sonner
        position={narrow ? "top-center" : "bottom-right"}
        visibleToasts={3}
        duration={4000}
        gap={gapPx}
        expand
        closeButton
        // Sonner takes AltGr for Alt, with which people write.
        hotkey={noKeys}
        offset={{
          bottom: `calc(${edgePx}px + var(--toast-inset, 0px))`,
          top: "calc(8px + var(--toast-inset-top, 56px))",
          right: edgePx,
        }}
        mobileOffset={{ top: "calc(8px + var(--toast-inset-top, 56px))", left: 12, right: 12 }}
        customAriaLabel={label}
        icons={{
          success: <CheckIcon size={18} className="stroke-[2.4] text-accent-text" />,
          info: <InfoIcon size={18} className="text-text-2" />,
          warning: <WarningIcon size={18} className="text-warn" />,
          error: <AlertIcon size={18} className="text-danger" />,
          loading: <Spinner size={18} className="text-text-2" />,
          close: <CloseIcon size={16} />,
        }}
        toastOptions={{
          unstyled: true,
          closeButtonAriaLabel: closeLabel,
          classNames: {
            toast:
              "flex min-[601px]:w-(--width) flex-wrap items-start not-has-[[data-description]]:items-center gap-x-3 gap-y-2 rounded-menu bg-raised py-3 pr-11 pl-4 text-body text-text shadow-menu",
            icon: "relative mt-px flex size-[18px] shrink-0 items-center justify-center",
            loader: "static! transform-none!",
            content: "min-w-0 flex-1 basis-48 break-words",
            title: "font-medium",
            description: "text-compact text-text-2",
            actionButton: `${button} bg-accent text-on-accent border-transparent hover:bg-accent-hover`,
            cancelButton: `${button} bg-raised text-text border-line-2 hover:bg-hover`,
            closeButton:
              "absolute top-2 right-2 flex size-7 items-center justify-center rounded-control text-text-2 transition-colors hover:bg-hover hover:text-text touch:-top-0.5 touch:-right-0.5 touch:size-11",
          },
        }}
      />
    </div>
  );
}

/** The shortcut that focuses the toasts; Sonner gives the focus back when they are gone. */
function useToastKeys(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const listening = new AbortController();
    const onKeyDown = (event: KeyboardEvent): void => {
      const list = region.current?.querySelector<HTMLElement>("[data-sonner-toaster]");
      if (!list || !isShortcut(event, "toasts")) return;
      event.preventDefault();
      list.focus();
    };
    document.addEventListener("keydown", onKeyDown, { signal: listening.signal });
    return () => listening.abort();
  }, [region]);
}

/**
 * Sets `--toast-room` on the root element: the height that toasts take at the foot of the window, above
 * `--toast-inset`.
 */
function useToastRoom(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = region.current;
    if (!element) return;
    const { style } = document.documentElement;
    const measure = (): void => {
      const shown = element.querySelectorAll<HTMLElement>('[data-visible="true"][data-removed="false"]');
      const heightPx = [...shown].reduce((sum, item) => sum + item.offsetHeight + gapPx, 0);
      if (shown.length === 0) style.removeProperty("--toast-room");
      else style.setProperty("--toast-room", `${heightPx + edgePx}px`);
    };
    const observer = new MutationObserver(measure);
    observer.observe(element, {
      childList: true,
      subtree: true,
      attributeFilter: ["data-visible", "data-removed"],
    });
    return () => {
      observer.disconnect();
      style.removeProperty("--toast-room");
    };
  }, [region]);
}

/** The list element that contains the toasts. */
const listOf = (element: Element): Element | null => element.closest("[data-sonner-toaster]");

/**
 * Pauses the toasts while one of them has focus. Sonner only does so for a hovering pointer, so a pointer
 * event is dispatched.
 */
function hold(focused: Element): void {
  listOf(focused)?.dispatchEvent(new MouseEvent("mousemove", { bubbles: true }));
}

/** Resumes the toasts when focus has left them, unless a pointer is over them. */
function release(blurred: Element, next: EventTarget | null): void {
  const list = listOf(blurred);
  if (list === null || (next instanceof Node && list.contains(next)) || list.matches(":hover")) return;
  list.dispatchEvent(new MouseEvent("mouseout", { bubbles: true }));
}
