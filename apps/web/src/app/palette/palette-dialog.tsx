import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { useT } from "../../i18n/use-t.ts";
import { cx } from "../../ui/cx.ts";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { isComposing } from "../../ui/is-composing.ts";
import { Kbd } from "../../ui/kbd.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { printedKeys } from "../../wiring/shortcuts/printed-keys.ts";
import { isShortcut } from "../../wiring/shortcuts/shortcuts.ts";
import { findEntries, type PaletteEntry, paletteGroups } from "./palette-entries.ts";
import { useFoundMessages } from "./use-found-messages.tsx";

interface PaletteDialogProps extends DialogSlot<() => void> {
  /** Rooms, people and commands. */
  readonly entries: readonly PaletteEntry[];
  readonly openMessage: Parameters<typeof useFoundMessages>[1];
}

/**
 * One field for everything that one can go to or do. The focus stays in the field; the arrow keys move through the list below
 * it, as in the combobox pattern. Submits what the chosen entry does, which happens once the dialog has closed.
 */
export function PaletteDialog({ entries, openMessage, dialog }: PaletteDialogProps) {
  const t = useT();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const messages = useFoundMessages(useDeferredValue(query.trim()), openMessage);
  const shown = [...findEntries(entries, query), ...messages.entries];
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
    else if (event.key === "Enter" && current !== undefined) dialog.submit(current.run);
    else if (isShortcut(event.nativeEvent, "palette")) dialog.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isEmpty = shown.length === 0;
  return (
    <Dialog
      dialog={dialog}
      title={t("palette.title")}
      hideTitle
      size="lg"
      closeLabel={t("common.close")}
      initialFocus={field}
      className="md:mt-[12dvh] md:mb-auto"
    >
      <SearchField
        ref={field}
        label={t("palette.field")}
        value={query}
        onChange={(next) => {
          setQuery(next);
          setChosen(null);
        }}
        onKeyDown={onKeyDown}
        className="mr-9 shrink-0"
        role="combobox"
        aria-expanded={!isEmpty}
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
        className="-mx-3 mt-3 h-[min(420px,60dvh)] overflow-y-auto overscroll-contain"
      >
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
                  onChoose={() => dialog.submit(entry.run)}
                />
              ))}
            </div>
          );
        })}
        {isEmpty && (
          <p className="py-10 text-center text-body text-text-2">
            {t(messages.isSearching ? "messageSearch.searching" : "common.noResults")}
          </p>
        )}
      </div>
      <p role="status" className="sr-only">
        {query.trim() !== "" &&
          (isEmpty
            ? t(messages.isSearching ? "messageSearch.searching" : "common.noResults")
            : t("palette.results", { count: shown.length }))}
      </p>
    </Dialog>
  );
}

interface OptionProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly isCurrent: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

function Option({ id, entry: { name, detail, icon, keys }, isCurrent, onPoint, onChoose }: OptionProps) {
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
        {detail !== undefined && <span className="block truncate text-meta text-text-2">{detail}</span>}
      </span>
      {keys !== undefined && <Kbd>{printedKeys(keys)}</Kbd>}
    </div>
  );
}
