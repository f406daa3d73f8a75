import * as Slot from "radix-ui/slot";
import {
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { Loaded } from "./on-demand.tsx";
import { overlays, useOverlay } from "./overlays.ts";

const openDelayMs = 700;
const closeDelayMs = 300;

/** Keys that move the focus. */
const movingKeys: ReadonlySet<string> = new Set([
  ...["Tab", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"],
]);
/**
 * Whether a focus-moving key is down. Focus that moves otherwise, as after a picker or a menu, shows no
 * tooltip.
 */
let isMovedByKey = false;
window.addEventListener("keydown", ({ key }) => noteKey(movingKeys.has(key)), { capture: true });
for (const type of ["keyup", "pointerdown", "blur"] as const)
  window.addEventListener(type, () => noteKey(false));

function noteKey(isMoving: boolean): void {
  isMovedByKey = isMoving;
}

/** Closes the open tooltip, so that there is never more than one. */
let closeShown: (() => void) | undefined;
/** When the last one closed, by `performance.now()`: shortly afterwards, the next opens without delay. */
let closedAt = Number.NEGATIVE_INFINITY;

interface TooltipProps {
  /** Undefined for no tooltip. */
  readonly text: ReactNode | undefined;
  readonly shortcut?: string | undefined;
  readonly side?: "top" | "right" | "bottom" | "left";
  /** For text that screen readers already get as the control's name or description. */
  readonly silent?: boolean;
  /** One element that accepts a ref and pointer events. */
  readonly children: ReactElement;
}

/**
 * A tooltip, shown after 700 ms of hovering or at once on keyboard focus; hidden 300 ms after leaving, and
 * kept while hovered itself.
 */
export function Tooltip({ text, shortcut, side = "bottom", silent = false, children }: TooltipProps) {
  const hasWords = text !== undefined;
  const { open, show, hideLater, hide, trigger } = useTooltip(hasWords);
  const { isWanted, want } = useOverlay();
  const anchor = useRef<HTMLElement>(null);
  const panelId = useId();
  return (
    <>
      <Slot.Root
        ref={anchor}
        aria-describedby={open ? panelId : undefined}
        {...trigger}
        onPointerEnter={() => hasWords && want()}
        onFocus={() => {
          if (hasWords) want();
          trigger.onFocus();
        }}
      >
        {children}
      </Slot.Root>
      {isWanted && (
        <Loaded code={overlays}>
          {({ TooltipPanel }) => (
            <TooltipPanel
              id={panelId}
              anchor={anchor}
              side={side}
              open={open}
              shortcut={shortcut}
              silent={silent}
              onStay={show}
              onLeave={hideLater}
              onDismiss={hide}
            >
              {text}
            </TooltipPanel>
          )}
        </Loaded>
      )}
    </>
  );
}

/** The open state of a tooltip and the handlers for its trigger. Without text it never opens. */
function useTooltip(hasWords: boolean) {
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isUnderPointer = useRef(false);

  const hide = useRef(() => {
    clearTimeout(timer.current);
    if (closeShown !== hide) return;
    closeShown = undefined;
    closedAt = performance.now();
    setOpen(false);
  }).current;

  const show = (): void => {
    clearTimeout(timer.current);
    if (!hasWords) return;
    if (closeShown !== hide) closeShown?.();
    closeShown = hide;
    setOpen(true);
  };
  const hideLater = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(hide, closeDelayMs);
  };

  useEffect(() => (hasWords ? hide : undefined), [hasWords, hide]);

  const trigger = {
    onPointerMove({ pointerType }: PointerEvent) {
      if (pointerType === "touch" || isUnderPointer.current) return;
      isUnderPointer.current = true;
      clearTimeout(timer.current);
      const isWarm = closeShown !== undefined || performance.now() - closedAt < closeDelayMs;
      if (isWarm) show();
      else timer.current = setTimeout(show, openDelayMs);
    },
    onPointerLeave() {
      isUnderPointer.current = false;
      hideLater();
    },
    onPointerDown() {
      hide();
    },
    onClick: hide,
    onFocus() {
      if (isMovedByKey) show();
    },
    onBlur: hideLater,
  };
  return { open, show, hide, hideLater, trigger };
}
