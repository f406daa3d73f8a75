import { Slot } from "radix-ui/slot";
import * as Radix from "radix-ui/tooltip";
import { type ComponentProps, type ReactElement, type ReactNode, useState } from "react";

/** Shared by all tooltips of the page: within 300 ms of the last one the next comes without delay. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Radix.Provider>
  );
}

interface TooltipProps {
  /** Words that screen readers already get as the control's name or description. */
  readonly text: string | undefined;
  /** The shortcut that does the same. */
  readonly keys?: string | undefined;
  readonly side?: "top" | "right" | "bottom" | "left";
  readonly children: ReactElement;
}

/** A control with a tooltip; without a text it never shows one. */
export function Tooltip({ text, keys, side = "bottom", children }: TooltipProps) {
  // Most tooltips of a page are never shown: until then, only the trigger is rendered.
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <Radix.Root onOpenChange={(open) => open && setWasOpened(true)}>
      <Radix.Trigger
        asChild
        onFocus={(event) => {
          // Radix would show it when a press or a closing dialog moves the focus here; a finger cannot send it away.
          const isByKeyboard = event.currentTarget.matches(":focus-visible");
          if (!isByKeyboard || matchMedia("(pointer: coarse)").matches) event.preventDefault();
        }}
      >
        <Undescribed>{children}</Undescribed>
      </Radix.Trigger>
      {wasOpened && text !== undefined && (
        <Radix.Portal>
          <Radix.Content
            data-tooltip-panel=""
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="z-tooltip max-w-[260px] rounded-tag bg-text px-2 py-1 text-meta font-medium text-surface animate-fade-in data-[state=closed]:animate-fade-out"
          >
            <span className="flex items-center gap-2">
              {text}
              {keys !== undefined && <kbd className="font-sans text-meta opacity-70">{keys}</kbd>}
            </span>
          </Radix.Content>
        </Radix.Portal>
      )}
    </Radix.Root>
  );
}

/** Radix describes the control by its tooltip, whose words are its name or its description already. */
function Undescribed({ "aria-describedby": _, ...control }: ComponentProps<"button">) {
  return <Slot {...control} />;
}
