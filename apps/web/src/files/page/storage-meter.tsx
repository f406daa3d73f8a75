import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { useFreeBytes } from "../use-free-bytes.ts";
import { type FileRow, storedBytesOf } from "./file-row.ts";

/** The page's title with the storage used by its files, in words and as a small bar: it is no headline. */
export function StorageMeter({ rows }: { readonly rows: readonly FileRow[] }) {
  const t = useT();
  const format = useFormat();
  const { complete, incomplete } = storedBytesOf(rows);
  const usedBytes = complete + incomplete;
  const freeBytes = useFreeBytes(true, usedBytes);
  const used = format.size(usedBytes);
  const words =
    freeBytes === null ? t("files.used", { used }) : t("files.usage", { used, free: format.size(freeBytes) });
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      <h1 id="files-title" className="text-title">
        {t("files.title")}
      </h1>
      <div className="flex items-center gap-3">
        <p className="text-meta text-text-2">{words}</p>
        {freeBytes !== null && (
          <div
            aria-hidden="true"
            className="flex h-1 w-24 overflow-hidden max-md:w-16 rounded-full bg-track forced-colors:bg-[Canvas] forced-colors:outline-1"
          >
            <span
              className="h-full bg-off"
              style={{ width: `${(100 * usedBytes) / Math.max(1, usedBytes + freeBytes)}%` }}
            />
          </div>
        )}
      </div>
    </div>
  );
}
