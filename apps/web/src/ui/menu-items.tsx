import { Menu as Radix } from "radix-ui/internal";
import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { CheckIcon, type Icon } from "./icons.ts";

const item =
  "flex h-8 cursor-pointer select-none items-center gap-2.5 rounded-control px-2 text-body outline-none data-highlighted:bg-hover touch:h-11";

interface MenuItemProps {
  readonly icon?: Icon;
  readonly shortcut?: string;
  readonly danger?: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

/** One action. Put destructive ones last, after a {@link MenuSeparator}. */
export function MenuItem({ icon: Glyph, shortcut, danger = false, onSelect, children }: MenuItemProps) {
  return (
    <Radix.Item
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
    </Radix.Item>
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
  return (
    <Radix.RadioGroup aria-label={label} value={value}>
      {options.map(({ value: option, label: words, lang }) => (
        <Radix.RadioItem
          key={option}
          value={option}
          onSelect={() => onChange(option)}
          className={cx(item, "text-text")}
        >
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

interface MenuCheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

/** A toggle; the menu stays open, so that several can be changed. */
export function MenuCheck({ checked, onChange, children }: MenuCheckProps) {
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

/** A hairline between groups. */
export function MenuSeparator() {
  return <Radix.Separator className="mx-2 my-1 h-px bg-line" />;
}
