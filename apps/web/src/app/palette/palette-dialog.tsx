import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { SearchIcon } from "../../ui/icons.ts";
import { isComposing } from "../../ui/is-composing.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { ShortcutKeys } from "../../wiring/shortcuts/shortcut-keys.tsx";
import { isShortcut } from "../../wiring/shortcuts/shortcuts.ts";
import { fallbackEntries, findEntries, type PaletteEntry, paletteGroups } from "./palette-entries.ts";
import { useFoundMessages } from "./use-found-messages.tsx";

interface PaletteDialogProps extends DialogSlot<PaletteEntry> {
  /** Rooms, people and commands. */
  readonly entries: readonly PaletteEntry[];
  /** The ids of the entries chosen last. */
  readonly recent: readonly string[];
  readonly openMessage: Parameters<typeof useFoundMessages>[1];
}

/**
 * One field for everything that one can go to or do. The focus stays in the field; the arrow keys move through the list below
 * it, as in the combobox pattern. Submits the chosen entry, which is done once the dialog has closed.
 */
export function PaletteDialog({ entries, recent, openMessage, dialog }: PaletteDialogProps) {
  const t = useT();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const messages = useFoundMessages(useDeferredValue(query.trim()), openMessage);
  const found = [...findEntries(entries, query, recent), ...messages.entries];
  const isEmpty = found.length === 0;
  const shown = isEmpty && !messages.isSearching ? fallbackEntries(entries) : found;
  // An entry that is gone, or none: the first one is what Enter does.
  const current = shown.find((entry) => entry.id === chosen) ?? shown[0];
  const optionId = (entry: PaletteEntry) => `${id}/${entry.id}`;

  const currentId = current?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry is to be in view
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [currentId]);

  const move = (by: number): void => {
    const at = current === undefined ? -1 : shown.indexOf(current);
    setChosen(shown[(at + by + shown.length) % shown.length]?.id ?? null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" && current !== undefined) dialog.submit(current);
    else if (isShortcut(event.nativeEvent, "palette")) dialog.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Dialog
      dialog={dialog}
      title={t("palette.title")}
      hideTitle
      size="lg"
      closable
      initialFocus={field}
      className="md:mt-[12dvh] md:mb-auto"
    >
      <SearchField
        ref={field}
        label={t("palette.field")}
        clearable={false}
        isBare
        value={query}
        onChange={(next) => {
          setQuery(next);
          setChosen(null);
        }}
        onKeyDown={onKeyDown}
        className="-mx-6 -mt-3 shrink-0 border-line border-b pr-16 pl-6 max-md:-mx-5 max-md:pl-5 max-md:-mt-2.5 touch:-mt-3"
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-haspopup="listbox"
        aria-autocomplete="list"
        aria-controls={`${id}/list`}
        aria-activedescendant={current === undefined ? undefined : optionId(current)}
      />
      <div
        ref={list}
        id={`${id}/list`}
        role="listbox"
        aria-label={t("palette.title")}
        className="-mx-3 mt-1.5 max-h-[min(420px,60dvh)] max-md:-mb-5 max-md:h-[min(420px,60dvh)] overflow-y-auto max-md:pb-4 overscroll-contain"
      >
        {isEmpty && (
          <div aria-hidden="true">
            {messages.isSearching ? (
              <p className="py-10 text-center text-body text-text-2">{t("messageSearch.searching")}</p>
            ) : (
              <EmptyState icon={SearchIcon} title={t("common.noResults")} className="py-8">
                {t("people.nothingFound", { query: query.trim() })}
              </EmptyState>
            )}
          </div>
        )}
        {paletteGroups.map((group) => {
          const ofGroup = shown.filter((entry) => entry.group === group);
          if (ofGroup.length === 0) return null;
          return (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls; these are options
            <div key={group} role="group" aria-label={t(`palette.groups.${group}`)}>
              <p aria-hidden="true" className="px-3 pt-2 pb-1 text-meta text-text-2">
                {t(`palette.groups.${group}`)}
              </p>
              {ofGroup.map((entry) => (
                <Option
                  key={entry.id}
                  id={optionId(entry)}
                  entry={entry}
                  isCurrent={entry === current}
                  onPoint={() => setChosen(entry.id)}
                  onChoose={() => dialog.submit(entry)}
                />
              ))}
            </div>
          );
        })}
      </div>
      <Keys />
      <p role="status" className="sr-only">
        {query.trim() !== "" &&
          (isEmpty
            ? t(messages.isSearching ? "messageSearch.searching" : "common.noResults")
            : t("palette.results", { count: shown.length }))}
      </p>
    </Dialog>
  );
}

/** The keys of the list, for those who have a keyboard. */
function Keys() {
  const t = useT();
  return (
    <p
      aria-hidden="true"
      className="-mx-6 -mb-6 flex gap-4 border-line border-t px-6 py-2.5 text-meta text-text-2 touch:hidden max-md:hidden"
    >
      <span className="flex items-center gap-1.5">
        <ShortcutKeys name="previous" />
        <ShortcutKeys name="next" />
        {t("palette.move")}
      </span>
      <span className="flex items-center gap-1.5">
        <ShortcutKeys name="openFile" />
        {t("palette.choose")}
      </span>
      <span className="ml-auto flex items-center gap-1.5">
        <ShortcutKeys name="close" />
        {t("common.close")}
      </span>
    </p>
  );
}

interface OptionProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly isCurrent: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

function Option({ id, entry: { name, detail, icon, shortcut }, isCurrent, onPoint, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the field, which keeps the focus
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      onPointerMove={onPoint}
      onClick={onChoose}
      className={cx(
        "flex min-h-10 cursor-pointer items-center gap-3 rounded-row px-3 py-1 touch:min-h-11",
        isCurrent && "bg-selected [--ground:var(--selected)] forced-colors:outline-2",
      )}
    >
      <span aria-hidden="true" className="flex w-7 shrink-0 justify-center text-text-2">
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-body">{name}</span>
        {detail !== undefined && (
          <span className="block truncate text-meta text-text-2 proportional-nums">{detail}</span>
        )}
      </span>
      {shortcut !== undefined && <ShortcutKeys name={shortcut} />}
    </div>
  );
}
