import { type KeyboardEvent as ReactKeyboardEvent, useRef } from "react";
import { useT } from "../../i18n/use-t.ts";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { useHeightProperty } from "../../ui/hooks/use-height-property.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { CloseIcon, NewerIcon, OlderIcon } from "../../ui/icons.ts";
import { useBackGesture } from "../../ui/overlays/use-back-gesture.ts";
import { isShortcut } from "../../wiring/shortcuts/shortcuts.ts";
import type { MessageSearchState } from "./use-message-search.ts";

/** The search field of a conversation, with buttons for the next and previous match. */
export function MessageSearchBar({ search }: { readonly search: MessageSearchState }) {
  const t = useT();
  const { query, words, matches, isSearching, current, field, setQuery, older, newer, close } = search;
  const total = matches.length;
  const bar = useRef<HTMLElement>(null);
  // What lies over the log begins below it.
  useHeightProperty(bar, "--search-height");
  useBackGesture(close);

  const onKeyDown = (event: ReactKeyboardEvent): void => {
    if (event.key === "Escape") close();
    else if (isShortcut(event, "newer")) newer();
    else if (isShortcut(event, "older")) older();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const status =
    words.length === 0
      ? ""
      : total === 0
        ? t(isSearching ? "messageSearch.searching" : "common.noResults")
        : t("messageSearch.position", { position: current + 1, total });
  return (
    <search ref={bar} className="shrink-0 border-line border-b">
      <div className="mx-auto flex h-13 max-w-[792px] items-center gap-1 px-4 max-md:h-15 max-md:px-2">
        <SearchField
          ref={field}
          label={t("messageSearch.field")}
          clearable={false}
          value={query}
          onChange={setQuery}
          className="min-w-0 flex-1"
          onKeyDown={onKeyDown}
        />
        <p
          role="status"
          className="min-w-16 px-2 text-center max-md:min-w-14 max-md:px-0 text-meta text-text-2 tabular-nums"
        >
          {status}
        </p>
        <IconButton
          icon={OlderIcon}
          label={t("messageSearch.older")}
          disabledReason={total === 0 ? t("common.noResults") : undefined}
          onClick={older}
        />
        <IconButton
          icon={NewerIcon}
          label={t("messageSearch.newer")}
          disabledReason={total === 0 ? t("common.noResults") : undefined}
          onClick={newer}
        />
        <IconButton icon={CloseIcon} label={t("messageSearch.close")} onClick={close} />
      </div>
    </search>
  );
}
