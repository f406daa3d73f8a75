import * as ContextPrimitive from "radix-ui/context-menu";
import * as DropdownPrimitive from "radix-ui/dropdown-menu";
import {
  createContext,
  type ReactElement,
  type ReactNode,
  type SyntheticEvent,
  use,
  useRef,
  useState,
} from "react";
import { cx } from "../cx.ts";
import { CheckIcon, type Icon } from "../icons.ts";
import { closeOnEscape } from "./close-on-escape.ts";
import { useHoldPage } from "./hold-page.ts";

const panel =
  "z-menu min-w-44 max-w-[min(20rem,calc(100vw-16px))] overflow-y-auto rounded-menu bg-raised p-1 shadow-menu outline-none animate-rise max-h-(--radix-popper-available-height) data-[state=closed]:animate-fade-out";
const item =
  "flex h-8 cursor-pointer select-none items-center gap-2.5 rounded-control px-2 text-body outline-none data-highlighted:bg-hover touch:h-11";

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
  readonly children: ReactNode;
}

/** A menu of actions. Not modal: that would lock scrolling with a `<style>`, which the content security policy forbids. */
export function Menu({ trigger, align = "end", side = "bottom", children }: MenuProps) {
  const [open, setOpen] = useOpen();
  return (
    <DropdownPrimitive.Root modal={false} open={open} onOpenChange={setOpen}>
      <DropdownPrimitive.Trigger asChild>{trigger}</DropdownPrimitive.Trigger>
      <DropdownPrimitive.Portal>
        <DropdownPrimitive.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          onKeyDown={closeOnEscape(() => setOpen(false))}
          className={panel}
        >
          <Items value={DropdownPrimitive}>{children}</Items>
        </DropdownPrimitive.Content>
      </DropdownPrimitive.Portal>
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

/** One context menu for all rows inside: right click, menu key, or long press. */
export function ContextMenu({ find, items, children }: ContextMenuProps) {
  const [, setOpen] = useOpen();
  const [target, setTarget] = useState<ContextTarget | null>(null);
  const aim = (event: SyntheticEvent): void => {
    const found = event.target instanceof Element ? find(event.target) : null;
    if (found === null)
      event.stopPropagation(); // the browser's own menu
    else setTarget(found);
    isHeld.current = false;
  };
  /** Whether nothing has been pressed since the menu opened: lifting the finger that opened it presses nothing. */
  const isHeld = useRef(false);
  const press = (event: SyntheticEvent): void => {
    if (!isHeld.current) return;
    isHeld.current = false;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <ContextPrimitive.Root
      modal={false}
      onOpenChange={(open) => {
        if (open) isHeld.current = true;
        setOpen(open);
      }}
    >
      <div onContextMenuCapture={aim} onPointerDownCapture={aim} onClickCapture={press}>
        <ContextPrimitive.Trigger asChild>
          <div className="pointer-coarse:select-none">{children}</div>
        </ContextPrimitive.Trigger>
      </div>
      <ContextPrimitive.Portal>
        <ContextPrimitive.Content aria-labelledby={target?.labelledBy} collisionPadding={8} className={panel}>
          <Items value={ContextPrimitive}>{target && items(target.id)}</Items>
        </ContextPrimitive.Content>
      </ContextPrimitive.Portal>
    </ContextPrimitive.Root>
  );
}

interface MenuItemProps {
  readonly icon?: Icon;
  readonly shortcut?: string;
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
      {Glyph !== undefined && <Glyph size={18} className={danger ? undefined : "text-text-2"} />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
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
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

/** A toggle; the menu stays open, so that several can be changed. */
export function MenuCheck({ checked, onChange, children }: MenuCheckProps) {
  const { CheckboxItem, ItemIndicator } = use(Items);
  return (
    <CheckboxItem
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className={cx(item, "text-text")}
    >
      {/* Reserves the space of the other items' icons. */}
      <span className="flex size-[18px] shrink-0 items-center justify-center">
        <ItemIndicator>
          <CheckIcon size={16} className="stroke-[2.2] text-accent-text" />
        </ItemIndicator>
      </span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
    </CheckboxItem>
  );
}

/** A hairline between groups. */
export function MenuSeparator() {
  const { Separator } = use(Items);
  return <Separator className="mx-2 my-1 h-px bg-line" />;
}
