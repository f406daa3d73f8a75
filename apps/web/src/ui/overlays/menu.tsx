import * as ContextPrimitive from "radix-ui/context-menu";
import * as DropdownPrimitive from "radix-ui/dropdown-menu";
import {
  createContext,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type SyntheticEvent,
  use,
  useRef,
  useState,
} from "react";
import { cx } from "../cx.ts";
import { ignoreLift } from "../hooks/use-long-press.ts";
import { CheckIcon, type Icon } from "../icons.ts";
import { BackGesture } from "./back-gesture.tsx";
import { closeOnEscape } from "./close-on-escape.ts";
import { useHoldPage } from "./hold-page.ts";
import { keepTakenFocus } from "./keep-taken-focus.ts";
import { SheetHandle, sheetHandle, sheetPanel } from "./sheet-handle.tsx";

const panel =
  "z-menu min-w-44 max-w-[min(22rem,calc(100vw-16px))] overflow-y-auto rounded-menu bg-raised p-1 shadow-menu outline-none animate-rise max-h-(--radix-popper-available-height) data-[state=closed]:animate-fade-out";
const item =
  "flex min-h-8 cursor-pointer select-none items-center gap-2.5 rounded-control px-2 py-0.5 text-body outline-none data-highlighted:bg-hover touch:min-h-11 sheet:min-h-12 sheet:gap-4 sheet:px-3";

const icon = "sheet:size-5";

/** The items of a menu belong to the kind of menu around them. */
const Items = createContext<typeof DropdownPrimitive | typeof ContextPrimitive>(DropdownPrimitive);

function useOpen() {
  const [open, setOpen] = useState(false);
  useHoldPage(open);
  return [open, setOpen] as const;
}

interface MenuProps {
  /** The button that opens the menu, and names it. */
  readonly trigger: ReactElement;
  readonly align?: "start" | "center" | "end";
  readonly side?: "top" | "bottom";
  /** From the button, in px: clear of what is around it. */
  readonly distance?: number;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

/** A menu of actions, for a finger on a phone a sheet. Not modal: that would lock scrolling with a `<style>`, which the content security policy forbids. */
export function Menu({
  trigger,
  align = "end",
  side = "bottom",
  distance = 4,
  onOpenChange,
  children,
}: MenuProps) {
  const [open, setOpen] = useOpen();
  // Until it is opened, only the trigger is rendered.
  const [wasOpened, setWasOpened] = useState(false);
  /** The field that was written in when the menu was opened with a pointer: there it goes on. */
  const field = useRef<HTMLTextAreaElement | null>(null);
  const isTouch = useRef(false);
  const change = (isOpen: boolean): void => {
    // A sheet may come to lie below the finger that opened it.
    if (isOpen && isTouch.current) ignoreLift();
    if (isOpen)
      field.current = document.activeElement instanceof HTMLTextAreaElement ? document.activeElement : null;
    // Else the browser would show the focus of whatever follows, as it shows that of a field.
    if (isOpen) field.current?.blur();
    setOpen(isOpen);
    setWasOpened(true);
    onOpenChange?.(isOpen);
  };
  return (
    <DropdownPrimitive.Root modal={false} open={open} onOpenChange={change}>
      <DropdownPrimitive.Trigger
        asChild
        onPointerDown={({ pointerType }) => {
          isTouch.current = pointerType === "touch";
        }}
      >
        {trigger}
      </DropdownPrimitive.Trigger>
      {wasOpened && (
        <DropdownPrimitive.Portal>
          <DropdownPrimitive.Content
            align={align}
            side={side}
            sideOffset={distance}
            collisionPadding={8}
            onKeyDown={closeOnEscape(() => change(false))}
            onCloseAutoFocus={(event) => {
              keepTakenFocus(event);
              if (field.current === null || event.defaultPrevented) return;
              event.preventDefault();
              field.current.focus();
            }}
            data-sheet=""
            className={cx(panel, sheetPanel)}
          >
            <BackGesture />
            <SheetHandle className={sheetHandle} />
            <Items value={DropdownPrimitive}>{children}</Items>
          </DropdownPrimitive.Content>
        </DropdownPrimitive.Portal>
      )}
    </DropdownPrimitive.Root>
  );
}

/** The row that a context menu is for. */
export interface ContextTarget {
  readonly id: string;
  /** The id of the element that names the menu. */
  readonly labelledBy: string;
}

interface ContextMenuProps {
  /** The row that contains the pressed element; null where there is no menu. */
  readonly find: (pressed: Element) => ContextTarget | null;
  readonly items: (id: string) => ReactNode;
  readonly children: ReactNode;
}

/** One context menu for all rows inside: right click, menu key, or long press, for which it is a sheet on a phone. */
export function ContextMenu({ find, items, children }: ContextMenuProps) {
  const [, setOpen] = useOpen();
  const [target, setTarget] = useState<ContextTarget | null>(null);
  const isTouch = useRef(false);
  const aim = (event: SyntheticEvent): void => {
    const found = event.target instanceof Element ? find(event.target) : null;
    if (found === null)
      event.stopPropagation(); // the browser's own menu
    else setTarget(found);
  };
  const press = (event: PointerEvent): void => {
    isTouch.current = event.pointerType === "touch";
    aim(event);
  };
  return (
    <ContextPrimitive.Root
      modal={false}
      onOpenChange={(open) => {
        if (open && isTouch.current) ignoreLift();
        setOpen(open);
      }}
    >
      <div onContextMenuCapture={aim} onPointerDownCapture={press}>
        <ContextPrimitive.Trigger asChild>
          <div className="pointer-coarse:select-none">{children}</div>
        </ContextPrimitive.Trigger>
      </div>
      <ContextPrimitive.Portal>
        <ContextPrimitive.Content
          data-sheet=""
          aria-labelledby={target?.labelledBy}
          collisionPadding={8}
          // Lifting the finger that opened it focuses the row.
          onFocusOutside={(event) => {
            if (isTouch.current) event.preventDefault();
          }}
          onCloseAutoFocus={keepTakenFocus}
          className={cx(panel, sheetPanel)}
        >
          <BackGesture />
          <SheetHandle className={sheetHandle} />
          <Items value={ContextPrimitive}>{target && items(target.id)}</Items>
        </ContextPrimitive.Content>
      </ContextPrimitive.Portal>
    </ContextPrimitive.Root>
  );
}

interface MenuItemProps {
  readonly icon?: Icon;
  readonly shortcut?: string | undefined;
  readonly danger?: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

/** One action. Put destructive ones last, after a {@link MenuSeparator}. */
export function MenuItem({ icon: Glyph, shortcut, danger = false, onSelect, children }: MenuItemProps) {
  const { Item } = use(Items);
  return (
    <Item
      onSelect={onSelect}
      className={cx(item, danger ? "text-danger data-highlighted:bg-danger-soft" : "text-text")}
    >
      {Glyph !== undefined && <Glyph size={18} className={cx(icon, !danger && "text-text-2")} />}
      <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">{children}</span>
      {shortcut !== undefined && (
        <kbd className="pl-4 font-sans text-meta text-text-3 max-md:hidden pointer-coarse:hidden">
          {shortcut}
        </kbd>
      )}
    </Item>
  );
}

interface MenuChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly {
    readonly value: T;
    readonly label: string;
    /** The language of the label, if it differs from the page's. */
    readonly lang?: string;
  }[];
  readonly onChange: (value: T) => void;
}

/** A single choice within a menu; the selected option has a tick. */
export function MenuChoice<T extends string>({ label, value, options, onChange }: MenuChoiceProps<T>) {
  const { RadioGroup, RadioItem, ItemIndicator } = use(Items);
  return (
    <RadioGroup aria-label={label} value={value}>
      {options.map(({ value: option, label: words, lang }) => (
        <RadioItem
          key={option}
          value={option}
          onSelect={() => onChange(option)}
          className={cx(item, "text-text")}
        >
          <span lang={lang} className="min-w-0 flex-1 truncate">
            {words}
          </span>
          <ItemIndicator>
            <CheckIcon size={16} className="stroke-[2.2] text-accent-text" />
          </ItemIndicator>
        </RadioItem>
      ))}
    </RadioGroup>
  );
}

interface MenuCheckProps {
  readonly icon?: Icon;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

/** A toggle; the menu stays open, so that several can be changed. */
export function MenuCheck({ icon: Glyph, checked, onChange, children }: MenuCheckProps) {
  const { CheckboxItem, ItemIndicator } = use(Items);
  return (
    <CheckboxItem
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className={cx(item, "text-text")}
    >
      {Glyph !== undefined && <Glyph size={18} className={cx(icon, "text-text-2")} />}
      <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">{children}</span>
      {/* Forced, so that a tick does not change the menu's width. */}
      <ItemIndicator forceMount className="data-[state=unchecked]:invisible">
        <CheckIcon size={16} className="stroke-[2.2] text-accent-text" />
      </ItemIndicator>
    </CheckboxItem>
  );
}

/** A hairline between groups. */
export function MenuSeparator() {
  const { Separator } = use(Items);
  return <Separator className="mx-2 my-1 h-px bg-line" />;
}
