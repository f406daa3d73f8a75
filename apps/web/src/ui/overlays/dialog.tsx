import * as Radix from "radix-ui/dialog";
import { type KeyboardEvent, type ReactNode, type Ref, useRef } from "react";
import { cx } from "../cx.ts";
import { IconButton } from "../icon-button.tsx";
import { CloseIcon } from "../icons.ts";
import { isComposing } from "../is-composing.ts";
import { closeOnEscape } from "./close-on-escape.ts";
import type { DialogControl } from "./dialog-control.ts";
import { DialogLayer } from "./over-dialogs.tsx";

const widths = { sm: "md:w-[360px]", md: "md:w-[440px]", lg: "md:w-[496px]" };

export interface DialogProps {
  /** Cancelled by Escape, a click outside and the close button. */
  readonly dialog: Pick<DialogControl<never>, "open" | "cancel" | "returnFocus">;
  readonly title: ReactNode;
  /** One question, or the subject of the dialog. */
  readonly description?: ReactNode;
  /** Keeps the title for screen readers only, if the content has its own heading. */
  readonly hideTitle?: boolean;
  readonly size?: keyof typeof widths;
  /** Shows a close button with this name; a dialog with a Cancel button needs none. */
  readonly closeLabel?: string;
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
  closeLabel,
  initialFocus,
  onKeyDown,
  className,
  children,
}: DialogProps) {
  const content = useRef<HTMLDivElement>(null);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && cancel()}>
      <Radix.Portal>
        <div
          aria-hidden="true"
          data-state={open ? "open" : "closed"}
          className="fixed inset-0 z-dialog bg-scrim animate-fade-in data-[state=closed]:animate-fade-out"
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
          className={cx(
            "fixed z-dialog flex flex-col overflow-y-auto overscroll-contain break-words bg-raised p-6 scroll-pb-20 text-body text-text shadow-dialog outline-none",
            "max-md:inset-x-0 max-md:bottom-0 max-md:max-h-[92dvh] max-md:rounded-t-sheet max-md:px-5 max-md:pb-[max(20px,env(safe-area-inset-bottom))] max-md:animate-sheet-in max-md:data-[state=closed]:animate-sheet-out",
            "md:inset-0 md:m-auto md:h-fit md:max-h-[calc(100dvh-48px)] md:rounded-dialog md:animate-rise md:data-[state=closed]:animate-fade-out",
            widths[size],
            className,
          )}
        >
          <Radix.Title
            className={hideTitle ? "sr-only" : cx("text-heading", closeLabel !== undefined && "pr-9")}
          >
            {title}
          </Radix.Title>
          {description !== undefined && (
            <Radix.Description className="mt-0.5 text-body text-text-2">{description}</Radix.Description>
          )}
          {children}
          {closeLabel !== undefined && (
            <IconButton
              icon={CloseIcon}
              label={closeLabel}
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

/**
 * The dialog's buttons: a ghost Cancel first, then the verb; right-aligned on a wide screen, side by side in
 * full width on a phone if they fit.
 */
export function DialogFooter({ children }: { readonly children: ReactNode }) {
  return (
    <div className="sticky -bottom-6 -mb-6 mt-3 flex flex-wrap justify-end gap-2 bg-raised pt-3 pb-6 short:pb-3 max-md:-mb-5 max-md:-bottom-5 max-md:pb-5 max-md:short:pb-3 max-md:*:flex-1">
      {children}
    </div>
  );
}
