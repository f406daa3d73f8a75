import * as Radix from "radix-ui/dialog";
import { type CSSProperties, type KeyboardEvent, type ReactNode, type Ref, useRef } from "react";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../cx.ts";
import { IconButton } from "../icon-button.tsx";
import { CloseIcon } from "../icons.ts";
import { isComposing } from "../is-composing.ts";
import { BackGesture } from "./back-gesture.tsx";
import { closeOnEscape } from "./close-on-escape.ts";
import type { DialogControl } from "./dialog-control.ts";
import { DialogLayer } from "./over-dialogs.tsx";
import { SheetHandle } from "./sheet-handle.tsx";

const widths = {
  sm: "md:w-[360px]",
  md: "md:w-[440px]",
  lg: "md:w-[496px]",
  /** For lists in two columns. */
  xl: "md:w-[min(880px,100vw-48px)]",
  /** For pictures and pages. */
  "2xl": "md:w-[min(960px,100dvw-64px)]",
};

/** Where the button is that a dialog belongs to. */
export type Anchor = Pick<DOMRect, "left" | "width" | "top" | "bottom">;

export interface DialogProps {
  /** Cancelled by Escape, a click outside and the close button. */
  readonly dialog: Pick<DialogControl<never>, "open" | "cancel" | "returnFocus">;
  readonly title: ReactNode;
  /** One question, or the subject of the dialog. */
  readonly description?: ReactNode;
  /** Keeps the title for screen readers only, if the content has its own heading. */
  readonly hideTitle?: boolean;
  readonly size?: keyof typeof widths;
  /** Shows it at this place instead of in the middle, over a page that stays bright; not on a phone. */
  readonly anchor?: Anchor;
  /** Shows a close button; a dialog with a Cancel button needs none. */
  readonly closable?: boolean;
  /**
   * The element that receives focus first; by default the first control inside, or the dialog itself if that
   * is Close. `top` is the dialog itself, for dialogs that are read first: focusing a lower control would
   * scroll the title away.
   */
  readonly initialFocus?: "top" | (Ref<HTMLElement> & { current: HTMLElement | null });
  /** Handles keys pressed anywhere inside. */
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly className?: string;
  readonly children?: ReactNode;
}

/**
 * A modal dialog: centred, on a phone a bottom sheet. The scrim is our own element, because Radix's Overlay
 * locks scrolling with a `<style>` element that the content security policy forbids.
 */
export function Dialog({
  dialog: { open, cancel, returnFocus },
  title,
  description,
  hideTitle = false,
  size = "md",
  anchor,
  closable = false,
  initialFocus,
  onKeyDown,
  className,
  children,
}: DialogProps) {
  const t = useT();
  const content = useRef<HTMLDivElement>(null);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && cancel()}>
      <Radix.Portal>
        <div
          aria-hidden="true"
          data-state={open ? "open" : "closed"}
          className={cx(
            "fixed inset-0 z-dialog bg-scrim animate-fade-in data-[state=closed]:animate-fade-out",
            anchor && "md:bg-transparent",
          )}
        />
        <Radix.Content
          ref={content}
          {...(description === undefined && { "aria-describedby": undefined })}
          onOpenAutoFocus={(event) => {
            const isAtTop = initialFocus === "top" || hasOnlyClose(content.current);
            const chosen = initialFocus === "top" ? null : initialFocus?.current;
            const first = chosen ?? (isAtTop ? content.current : null);
            if (first === null) return;
            event.preventDefault();
            // A focusable container may be taller than the window: focusing it would scroll past the dialog's
            // title.
            first.focus({ preventScroll: first.tabIndex < 0 });
          }}
          onKeyDown={(event) => {
            onKeyDown?.(event);
            if (!isForField(event.nativeEvent)) closeOnEscape(cancel)(event);
          }}
          onPointerDownOutside={(event) => {
            // What is shown over dialogs is inside this one for the document, not for React.
            const { target } = event;
            if (target instanceof Node && content.current?.contains(target)) event.preventDefault();
          }}
          onEscapeKeyDown={(event) => {
            if (isForField(event)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returnFocus();
          }}
          style={anchor && besideStyle(anchor)}
          className={cx(
            "fixed z-dialog flex flex-col overflow-y-auto overscroll-contain break-words bg-raised p-6 scroll-pb-20 text-body text-text shadow-dialog outline-none",
            "max-md:inset-x-0 max-md:bottom-0 max-md:max-h-[92dvh] max-md:rounded-t-sheet max-md:px-5 max-md:pb-[max(20px,env(safe-area-inset-bottom))] max-md:animate-sheet-in max-md:data-[state=closed]:animate-sheet-out",
            "md:h-fit md:animate-rise md:data-[state=closed]:animate-fade-out",
            anchor
              ? "md:top-(--top) md:bottom-(--bottom) md:left-[clamp(8px,var(--middle)-180px,100vw-368px)] md:max-h-(--height) md:rounded-menu md:p-3 md:shadow-menu"
              : "md:inset-0 md:m-auto md:max-h-[calc(100dvh-48px)] md:rounded-dialog",
            widths[size],
            className,
          )}
        >
          <BackGesture />
          <SheetHandle className="-top-6 -mx-5 -mt-6 hidden max-md:flex" />
          <Radix.Title className={hideTitle ? "sr-only" : cx("text-heading", closable && "pr-9")}>
            {title}
          </Radix.Title>
          {description !== undefined && (
            <Radix.Description className="mt-0.5 text-pretty text-body text-text-2">
              {description}
            </Radix.Description>
          )}
          {children}
          {closable && (
            <IconButton
              icon={CloseIcon}
              label={t("common.close")}
              onClick={cancel}
              className="absolute top-5 right-4 touch:top-3 touch:right-2"
            />
          )}
          <DialogLayer />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Below a place, or above it where there is more space. */
function besideStyle({ left, width, top, bottom }: Anchor): CSSProperties {
  const isAbove = top > innerHeight - bottom;
  const places = {
    "--middle": `${left + width / 2}px`,
    "--top": isAbove ? "auto" : `${bottom + 8}px`,
    "--bottom": isAbove ? `${innerHeight - top + 8}px` : "auto",
    "--height": `${(isAbove ? top : innerHeight - bottom) - 16}px`,
  };
  return places as CSSProperties;
}

/** Whether Escape ends a composition, or clears a search, before it closes anything. */
function isForField(event: globalThis.KeyboardEvent): boolean {
  return isComposing(event) || isSearching(event.target);
}

/** Whether Escape has a search to clear before it closes anything. */
function isSearching(pressed: EventTarget | null): boolean {
  return pressed instanceof HTMLInputElement && pressed.type === "search" && pressed.value !== "";
}

/**
 * Whether Close is the only control: focusing it would show its tooltip, which then takes the first Escape.
 */
function hasOnlyClose(content: HTMLElement | null): boolean {
  return content?.querySelectorAll("a[href], button, input, select, textarea, [tabindex='0']").length === 1;
}

interface DialogFooterProps {
  readonly children: ReactNode;
  /** A quiet button for what is rarely wanted: on the other side, on a phone below the rest. */
  readonly rarely?: ReactNode;
}

/**
 * The dialog's buttons: a ghost Cancel first, then the verb; right-aligned on a wide screen, side by side in
 * full width on a phone, and three of them one above the other, the verb on top.
 */
export function DialogFooter({ children, rarely }: DialogFooterProps) {
  return (
    <div className="sticky -bottom-6 -mb-6 mt-3 flex flex-wrap justify-end gap-2 bg-raised pt-3 pb-6 short:pb-3 max-md:-mb-5 max-md:-bottom-5 max-md:pb-5 max-md:short:pb-3 max-md:has-[>button:nth-of-type(3)]:flex-col-reverse max-md:[&>button]:min-h-11 max-md:[&>button]:flex-1">
      {children}
      {rarely !== undefined && (
        <div className="max-md:flex max-md:min-h-11 max-md:basis-full max-md:justify-center md:order-first md:mr-auto md:-ml-3">
          {rarely}
        </div>
      )}
    </div>
  );
}
