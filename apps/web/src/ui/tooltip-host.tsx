import { DismissableLayer, Popper, Presence } from "radix-ui/internal";
import * as Portal from "radix-ui/portal";
import { type ComponentProps, useEffect, useRef, useState } from "react";

const openDelayMs = 700;
const closeDelayMs = 300;

/** Keys that move the focus. Focus that moves otherwise, as after a picker or a menu, shows no tooltip. */
const movingKeys: ReadonlySet<string> = new Set([
  ...["Tab", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"],
]);

/**
 * The one tooltip of the page: after 700 ms over a control with `data-tooltip`, or at once on keyboard focus; hidden 300 ms after
 * leaving, within which the next one comes without delay, and kept while the pointer is over it. Built from the parts of
 * Radix's Tooltip, which itself can only be placed beside a trigger of its own (docs/decisions/0029).
 */
export function TooltipHost() {
  const [owner, setOwner] = useState<HTMLElement | null>(null);
  /** The control that has the tooltip, or had it last. The tooltip keeps its text while fading out. */
  const anchor = useRef<HTMLElement>(null);
  const words = useRef<DOMStringMap>({});
  if (owner !== null) {
    anchor.current = owner;
    words.current = { ...owner.dataset };
  }
  const panel = useRef<HTMLDivElement>(null);
  const hide = useRef(() => {});
  useEffect(() => {
    const controls = followControls(panel, setOwner);
    hide.current = controls.hide;
    return controls.stop;
  }, []);
  return (
    <Popper.Root>
      <Popper.Anchor virtualRef={anchor} />
      <Presence.Root present={owner !== null}>
        <Panel ref={panel} words={words.current} open={owner !== null} onDismiss={() => hide.current()} />
      </Presence.Root>
    </Popper.Root>
  );
}

/** Calls back with the control whose tooltip is to be shown, null for none. */
function followControls(
  panel: { readonly current: Element | null },
  onChange: (owner: HTMLElement | null) => void,
) {
  let shown: HTMLElement | null = null;
  let hovered: HTMLElement | null = null;
  /** Shortly after one was closed, the next opens without delay. */
  let closedAt = Number.NEGATIVE_INFINITY;
  let isMovedByKey = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const show = (next: HTMLElement | null): void => {
    clearTimeout(timer);
    if (shown !== null) closedAt = performance.now();
    shown = next;
    onChange(next);
    observer.disconnect();
    if (next !== null) observer.observe(document.body, { childList: true, subtree: true });
  };
  const later = (next: HTMLElement | null, delayMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => show(next), delayMs);
  };
  const observer = new MutationObserver(() => shown?.isConnected === false && show(null));

  const hover = (target: EventTarget | null): void => {
    if (target instanceof Node && panel.current?.contains(target)) {
      hovered = null;
      clearTimeout(timer);
      return;
    }
    const next = ownerOf(target);
    if (next === hovered && next !== null) return;
    hovered = next;
    if (next === null) later(null, closeDelayMs);
    else if (shown !== null || performance.now() - closedAt < closeDelayMs) show(next);
    else later(next, openDelayMs);
  };
  const press = (): void => {
    isMovedByKey = false;
    show(null);
  };
  const noKey = (): void => {
    isMovedByKey = false;
  };

  const listening = new AbortController();
  const on = <K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void): void =>
    window.addEventListener(type, listener, { capture: true, passive: true, signal: listening.signal });
  on("pointerover", ({ pointerType, target }) => {
    if (pointerType !== "touch") hover(target);
  });
  on("pointerout", ({ relatedTarget }) => relatedTarget === null && hover(null));
  on("pointerdown", press);
  on("click", press);
  on("keydown", ({ key }) => {
    isMovedByKey = movingKeys.has(key);
  });
  on("keyup", noKey);
  window.addEventListener("blur", noKey, { signal: listening.signal }); // the window's own, not those of controls
  on("focusin", ({ target }) => {
    const next = ownerOf(target);
    if (isMovedByKey && next !== null) show(next);
  });
  on("focusout", ({ target }) => shown !== null && ownerOf(target) === shown && later(null, closeDelayMs));
  // It does not follow a control that is scrolled.
  on(
    "scroll",
    ({ target }) => target instanceof Node && shown !== null && target.contains(shown) && show(null),
  );

  // The control that had this code fetched has the pointer or the focus already.
  const focused = document.activeElement?.matches(":focus-visible") ? ownerOf(document.activeElement) : null;
  if (focused !== null) show(focused);
  else hover(document.querySelector("[data-tooltip]:hover"));
  return {
    hide: () => show(null),
    stop: () => {
      listening.abort();
      clearTimeout(timer);
      observer.disconnect();
    },
  };
}

function ownerOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-tooltip]") : null;
}

interface PanelProps extends Pick<ComponentProps<"div">, "ref"> {
  readonly words: DOMStringMap;
  readonly open: boolean;
  readonly onDismiss: () => void;
}

const sides = ["top", "right", "bottom", "left"] as const;

function Panel({ words: { tooltip, tooltipKeys, tooltipSide }, open, onDismiss, ref }: PanelProps) {
  return (
    <Portal.Root>
      <DismissableLayer.Root asChild onFocusOutside={(event) => event.preventDefault()} onDismiss={onDismiss}>
        <Popper.Content
          ref={ref}
          data-tooltip-panel=""
          data-state={open ? "open" : "closed"}
          side={sides.find((side) => side === tooltipSide) ?? "bottom"}
          sideOffset={6}
          collisionPadding={8}
          className="z-tooltip max-w-[260px] rounded-tag bg-text px-2 py-1 text-meta font-medium text-surface animate-fade-in data-[state=closed]:animate-fade-out"
        >
          <span aria-hidden="true" className="flex items-center gap-2">
            {tooltip}
            {tooltipKeys !== undefined && <kbd className="font-sans text-meta opacity-70">{tooltipKeys}</kbd>}
          </span>
        </Popper.Content>
      </DismissableLayer.Root>
    </Portal.Root>
  );
}
