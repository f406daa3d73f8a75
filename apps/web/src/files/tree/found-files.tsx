import type { TreeFile } from "@warren/protocol/tree";
import { useFormat } from "../../i18n/format.ts";
import { folded } from "../../i18n/matches-search.ts";
import { useT } from "../../i18n/use-t.ts";
import { Highlighted } from "../../ui/highlighted.tsx";
import { fileIcon } from "../file-kind.ts";

/** Beyond this, only their number is shown. */
const shownMax = 3;

interface FoundFilesProps {
  readonly files: readonly TreeFile[];
  readonly foldedQuery: string;
  readonly canPreview: (file: TreeFile) => boolean;
  readonly onPreview: (file: TreeFile) => void;
}

/** The files of a tree found by a search, with the matches marked. */
export function FoundFiles({ files, foldedQuery, canPreview, onPreview }: FoundFilesProps) {
  const t = useT();
  const format = useFormat();
  const moreCount = files.length - shownMax;
  return (
    <div className="mt-1">
      <ul aria-label={t("folders.found")}>
        {files.slice(0, shownMax).map((file) => {
          const { path, mimeType } = file;
          const name = path.slice(path.lastIndexOf("/") + 1);
          const Glyph = fileIcon(name, mimeType);
          const content = (
            <>
              <Glyph size={16} className="shrink-0 text-text-2" />
              <span className="min-w-0 flex-1 truncate text-start" title={path}>
                <Highlighted text={folded(name).includes(foldedQuery) ? name : path} />
              </span>
              <span className="sr-only">, </span>
              <span className="shrink-0 text-meta text-text-2">{format.size(file.size)}</span>
            </>
          );
          const look = "flex h-7 w-full items-center gap-1.5 rounded-control px-1 text-compact touch:h-11";
          return (
            <li key={path}>
              {canPreview(file) ? (
                <button
                  type="button"
                  className={`${look} transition-colors hover:bg-hover`}
                  onClick={() => onPreview(file)}
                >
                  <span className="sr-only">{t("file.preview")}: </span>
                  {content}
                </button>
              ) : (
                <span className={look}>{content}</span>
              )}
            </li>
          );
        })}
      </ul>
      {moreCount > 0 && (
        <p className="px-1 text-meta text-text-2">{t("folders.foundMore", { count: moreCount })}</p>
      )}
    </div>
  );
}
