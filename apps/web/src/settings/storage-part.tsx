import type { LibraryState } from "@warren/core";
import { useEffect, useState } from "react";
import { useFormat } from "../i18n/format.ts";
import { useT } from "../i18n/use-t.ts";
import type { BrowserData } from "../platform/storage/browser-data.ts";
import { Tag } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { CheckIcon } from "../ui/icons.ts";
import { ProgressBar } from "../ui/progress.tsx";
import { usePlatform } from "../wiring/platform-context.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";
import { withErrorToast } from "../wiring/with-error-toast.ts";
import { ActionRow } from "./rows/action-row.tsx";
import { SettingGroup } from "./rows/setting-group.tsx";

interface StorageState {
  readonly usage: Awaited<ReturnType<BrowserData["usage"]>>;
  readonly isPersisted: boolean;
}

/** The storage used by this browser, and whether the browser may evict it. */
export function StoragePart() {
  const t = useT();
  const format = useFormat();
  const { browserData } = usePlatform();
  const [state, setState] = useState<StorageState | null>(null);
  const [isDenied, setDenied] = useState(false);
  const library = useStore(useWarren().files.store);

  // biome-ignore lint/correctness/useExhaustiveDependencies(library): an added or deleted file changes the usage
  useEffect(() => {
    let isShown = true;
    const read = async (): Promise<void> => {
      const [usage, isPersisted] = await Promise.all([browserData.usage(), browserData.isPersisted()]);
      if (isShown) setState({ usage, isPersisted });
    };
    read().catch(() => {}); // unknown usage is not shown
    return () => {
      isShown = false;
    };
  }, [browserData, library]);

  const persist = async (): Promise<void> => {
    const isPersisted = await browserData.persist();
    setDenied(!isPersisted);
    setState((before) => before && { ...before, isPersisted });
  };

  if (state === null) return null;
  const { usage, isPersisted } = state;
  const line =
    usage === null
      ? t("settingsAdvanced.usageUnknown")
      : t("settingsAdvanced.used", {
          used: format.size(usage.usedBytes),
          free: format.size(usage.freeBytes),
        });
  return (
    <SettingGroup title={t("settingsAdvanced.storage")}>
      <div className="setting-row py-3.5">
        <p className="font-medium tabular-nums">{line}</p>
        {usage !== null && (
          <ProgressBar
            role="meter"
            value={usage.usedBytes / Math.max(1, usage.usedBytes + usage.freeBytes)}
            label={t("settingsAdvanced.storage")}
            valueText={line}
            className="mt-2"
          />
        )}
        {usage !== null && (
          <dl className="mt-2 grid grid-cols-[1fr_auto] gap-x-6 gap-y-1 text-compact text-text-2 tabular-nums">
            {Object.entries(partsOf(library, usage.usedBytes)).map(([part, bytes]) => (
              <div key={part} className="col-span-2 grid grid-cols-subgrid">
                <dt>{t(`settingsAdvanced.part.${part as UsagePart}`)}</dt>
                <dd className="text-end">{format.size(bytes)}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      <ActionRow title={t("settingsAdvanced.persist")} line={t("settingsAdvanced.persistLine")}>
        {isPersisted ? (
          <Tag tone="accent">
            <CheckIcon size={12} />
            {t("settingsAdvanced.persisted")}
          </Tag>
        ) : (
          <Button onClick={() => void withErrorToast(persist)}>{t("settingsAdvanced.persistAsk")}</Button>
        )}
      </ActionRow>
      <p role="status" className="text-compact text-warn not-empty:pb-3.5">
        {isDenied && t("settingsAdvanced.persistDenied")}
      </p>
    </SettingGroup>
  );
}

type UsagePart = "received" | "unfinished" | "sent" | "rest";

/**
 * What uses the storage. The rest is messages, items shared by other apps, the app itself and the browser's
 * overhead.
 */
function partsOf(library: LibraryState, usedBytes: number): Record<UsagePart, number> {
  const parts = { received: 0, unfinished: 0, sent: 0, rest: 0 };
  for (const { location, direction, state, storedBytes } of [...library.values()]) {
    if (location !== "storage") continue;
    if (direction === "sent") parts.sent += storedBytes;
    else if (state === "complete") parts.received += storedBytes;
    else parts.unfinished += storedBytes;
  }
  parts.rest = Math.max(0, usedBytes - parts.received - parts.unfinished - parts.sent);
  return parts;
}
