import { type ComponentProps, type KeyboardEvent, memo } from "react";
import { cx } from "../cx.ts";
import { IconButton } from "../icon-button.tsx";
import { CloseIcon, SearchIcon } from "../icons.ts";
import { isComposing } from "../is-composing.ts";

interface SearchFieldProps extends Omit<ComponentProps<"input">, "onChange" | "value" | "type"> {
  readonly label: string;
  /** The name of the clear button; without one, only Escape and closing the field clear it. */
  readonly clearLabel?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/**
 * A search input: sunken, without an edge; the label is its placeholder and its accessible name. Escape
 * clears it first, unless `onKeyDown` handles that key and prevents the default.
 */
export const SearchField = memo(function SearchField({
  label,
  clearLabel,
  value,
  onChange,
  onKeyDown,
  className,
  ...rest
}: SearchFieldProps) {
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (isComposing(event.nativeEvent)) return;
    onKeyDown?.(event);
    if (event.key !== "Escape" || value === "" || event.isPropagationStopped()) return;
    event.stopPropagation();
    onChange("");
  };
  return (
    <div
      className={cx(
        "flex h-9 items-center rounded-control bg-sunken text-body touch:h-11 forced-colors:border",
        "has-[input:focus-visible]:shadow-[inset_0_0_0_2px_var(--focus)] has-[input:focus-visible]:forced-colors:outline-2",
        className,
      )}
    >
      <SearchIcon size={16} className="ml-2.5 text-text-2" />
      <input
        type="search"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={press}
        className="h-full min-w-0 flex-1 appearance-none bg-transparent px-2 outline-none [&::-webkit-search-cancel-button]:hidden pointer-coarse:text-[16px]"
        {...rest}
      />
      {value !== "" && clearLabel !== undefined && (
        <IconButton
          size="sm"
          iconSize={15}
          icon={CloseIcon}
          label={clearLabel}
          className="mr-1"
          onClick={() => onChange("")}
        />
      )}
    </div>
  );
});
