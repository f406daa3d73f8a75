import { Menu as Radix } from "radix-ui/internal";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { cx } from "./cx.ts";
import { CheckIcon } from "./icons.ts";
import {
  type MenuCheckProps,
  type MenuChoiceProps,
  type MenuItemProps,
  type MenuParts,
  MenuPartsContext,
} from "./menu-parts.ts";
import { occupy } from "./occupied.ts";

const item =
  "flex h-8 cursor-pointer select-none items-center gap-2.5 rounded-control px-2 text-body outline-none data-highlighted:bg-hover data-disabled:cursor-default data-disabled:text-text-3 touch:h-11";

function Item({
  icon: Glyph,
  shortcut,
  danger = false,
  disabled = false,
  onSelect,
  children,
}: MenuItemProps) {
  return (
    <Radix.Item
      disabled={disabled}
      onSelect={onSelect}
      className={cx(item, danger ? "text-danger data-highlighted:bg-danger-soft" : "text-text")}
    >
      {Glyph !== undefined && <Glyph size={18} className={danger || disabled ? undefined : "text-text-2"} />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {shortcut !== undefined && (
        <kbd className="pl-4 font-sans text-meta text-text-3 max-md:hidden pointer-coarse:hidden">
          {shortcut}
        </kbd>
      )}
    </Radix.Item>
  );
}

function Choice<T extends string>({ label, value, options, onChange }: MenuChoiceProps<T>) {
  return (
    <Radix.RadioGroup aria-label={label} value={value}>
      {options.map(({ value: option, label: words, icon: Glyph, lang }) => (
        <Radix.RadioItem
          key={option}
          value={option}
          onSelect={() => onChange(option)}
          className={cx(item, "text-text")}
        >
          {Glyph !== undefined && <Glyph size={18} className="text-text-2" />}
          <span lang={lang} className="min-w-0 flex-1 truncate">
            {words}
          </span>
          <Radix.ItemIndicator>
            <CheckIcon size={16} className="stroke-[2.2] text-accent-text" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

function Check({ checked, onChange, children }: MenuCheckProps) {
  return (
    <Radix.CheckboxItem
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className={cx(item, "text-text")}
    >
      {/* Reserves the space of the other items' icons. */}
      <span className="flex size-[18px] shrink-0 items-center justify-center">
        <Radix.ItemIndicator>
          <CheckIcon size={16} className="stroke-[2.2] text-accent-text" />
        </Radix.ItemIndicator>
      </span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
    </Radix.CheckboxItem>
  );
}

function Separator() {
  return <Radix.Separator className="mx-2 my-1 h-px bg-line" />;
}

const parts: MenuParts = { Item, Choice, Check, Separator };

interface MenuPanelProps {
  readonly id: string;
  /** The id of the trigger, whose name also labels the menu. */
  readonly labelledBy: string;
  /** The trigger: the panel is placed beside it and returns the focus to it. */
  readonly anchor: RefObject<HTMLElement | null>;
  /** The position of the panel, if not beside its trigger. */
  readonly place?: RefObject<{ getBoundingClientRect(): DOMRect }>;
  /** Whether it was opened by keyboard: then its first action is focused. */
  readonly openedByKey: RefObject<boolean>;
  readonly align: "start" | "center" | "end";
  readonly side: "top" | "right" | "bottom" | "left";
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly children: ReactNode;
}

/**
 * The panel of a menu. Not modal: a modal one locks scrolling with a `<style>` element that the content
 * security policy forbids.
 */
export function MenuPanel({
  id,
  labelledBy,
  anchor,
  place,
  openedByKey,
  align,
  side,
  open,
  onOpenChange,
  children,
}: MenuPanelProps) {
  // The page must not change under an open menu, which would close with it.
  useEffect(() => (open ? occupy() : undefined), [open]);
  const pressedOutside = useRef(false);
  return (
    <Radix.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <Radix.Anchor virtualRef={place ?? anchor} />
      <Radix.Portal>
        <Radix.Content
          id={id}
          aria-labelledby={labelledBy}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          onEntryFocus={(event) => {
            // Radix only knows of keys pressed after its code was loaded.
            if (!openedByKey.current) return;
            openedByKey.current = false;
            event.preventDefault();
            if (event.currentTarget instanceof Element) focusFirstAction(event.currentTarget);
          }}
          onInteractOutside={() => {
            pressedOutside.current = true;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!pressedOutside.current) anchor.current?.focus();
            pressedOutside.current = false;
          }}
          className="z-menu min-w-44 max-w-[min(20rem,calc(100vw-16px))] overflow-y-auto rounded-menu bg-raised p-1 shadow-menu outline-none animate-rise max-h-(--radix-popper-available-height) data-[state=closed]:animate-fade-out"
        >
          <MenuPartsContext value={parts}>{children}</MenuPartsContext>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function focusFirstAction(panel: Element): void {
  panel.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')?.focus();
}
