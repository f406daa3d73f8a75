import type { KeyboardEvent } from "react";
import { useT } from "../i18n/use-t.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { CloseIcon, NewerIcon, OlderIcon } from "../ui/icons.ts";
import { SearchField } from "../ui/search-field.tsx";
import { isShortcut } from "../ui/shortcuts.ts";
import type { MessageSearch } from "./use-message-search.ts";

/** The search field of a conversation, with buttons for the next and previous match. */
export function SearchBar({ search }: { readonly search: MessageSearch }) {
  const t = useT();
  const { query, foldedQuery, matches, isSearching, current, field, setQuery, older, newer, close } = search;
  const total = matches.length;

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") close();
    else if (isShortcut(event, "newer")) newer();
    else if (isShortcut(event, "older")) older();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const words =
    foldedQuery === ""
      ? ""
      : total === 0
        ? t(isSearching ? "messageSearch.searching" : "common.noResults")
        : t("messageSearch.position", { position: current + 1, total });
  return (
    <search className="flex h-13 shrink-0 items-center gap-1 border-line border-b px-3 max-md:h-15 max-md:px-1.5">
      <SearchField
        ref={field}
        label={t("messageSearch.field")}
        value={query}
        onChange={setQuery}
        className="min-w-0 flex-1"
        onKeyDown={onKeyDown}
      />
      <p
        role="status"
        className="min-w-16 px-2 text-center max-md:min-w-14 max-md:px-0 text-meta text-text-2 tabular-nums"
      >
        {words}
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
    </search>
  );
}
