import type { ComponentProps, KeyboardEvent } from "react";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../cx.ts";
import { IconButton } from "../icon-button.tsx";
import { CloseIcon, SearchIcon } from "../icons.ts";
import { isComposing } from "../is-composing.ts";

interface SearchFieldProps extends Omit<ComponentProps<"input">, "onChange" | "value" | "type"> {
  readonly label: string;
  /** Whether there is a button to clear it, beside Escape. */
  readonly clearable?: boolean;
  /** Without a ground, where it is the head of what it searches and always has the focus. */
  readonly isBare?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/**
 * A search input: sunken, without an edge; the label is its placeholder and its accessible name. Escape
 * clears it first, unless `onKeyDown` handles that key and prevents the default.
 */
export function SearchField({
  label,
  clearable = true,
  isBare = false,
  value,
  onChange,
  onKeyDown,
  className,
  ...rest
}: SearchFieldProps) {
  const t = useT();
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
        "flex items-center has-[input:focus-visible]:forced-colors:outline-2",
        isBare
          ? "h-12 text-body-lg touch:h-11"
          : "h-9 rounded-control bg-sunken text-body touch:h-11 forced-colors:border has-[input:focus-visible]:shadow-[inset_0_0_0_2px_var(--focus)]",
        className,
      )}
    >
      <SearchIcon size={isBare ? 18 : 16} className={cx("text-text-2", !isBare && "ml-2.5")} />
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
      {value !== "" && clearable && (
        <IconButton
          size="sm"
          iconSize={15}
          icon={CloseIcon}
          label={t("common.clearSearch")}
          className="mr-1"
          onClick={() => onChange("")}
        />
      )}
    </div>
  );
}
