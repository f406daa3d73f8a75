import { contentSizeOf } from "@warren/protocol";
import type { ReactNode } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { ChatIcon, type Icon } from "../../ui/icons.ts";
import { MiddleEllipsis } from "../../ui/middle-ellipsis.tsx";
import { useStore, useWarren } from "../../ui/warren-context.tsx";
import { fileIcon, iconOf } from "../file-kind.ts";
import { treeName } from "../tree/use-tree-words.ts";
import type { ForwardItem } from "./forward-item.ts";

/** The number of characters shown of a text. */
const shownLetters = 200;

/** Previews the items to send: the first one and the number of others. */
export function ItemsPreview({ items }: { readonly items: readonly ForwardItem[] }) {
  const t = useT();
  const [first] = items;
  if (first === undefined) return null;
  return (
    <div className="mt-4 flex items-center gap-3 rounded-card bg-sunken p-3">
      <FirstItem
        item={first}
        others={items.length > 1 ? t("forward.others", { count: items.length - 1 }) : null}
      />
    </div>
  );
}

function FirstItem({ item, others }: { readonly item: ForwardItem; readonly others: string | null }) {
  const format = useFormat();
  const t = useT();
  const { files } = useWarren();
  const stored = useStore(files.store, (state) => (item.type === "cache" ? state[item.fid] : undefined));
  if (item.type === "text") {
    return (
      <Line icon={ChatIcon} second={others}>
        <p className="line-clamp-2 break-words text-body">{item.text.slice(0, shownLetters)}</p>
      </Line>
    );
  }
  const fileName =
    item.type === "file" ? item.file.name : stored ? treeName(stored.description, t) : item.fileName;
  const mimeType = item.type === "file" ? item.file.type : (stored?.description.mimeType ?? "");
  const sizeBytes = item.type === "file" ? item.file.size : stored && contentSizeOf(stored.description);
  const tree = stored?.description.tree;
  const size =
    sizeBytes === undefined
      ? null
      : tree?.kind === "folder"
        ? t("folders.looseSummary", {
            files: t("common.files", { count: tree.files }),
            size: format.size(sizeBytes),
          })
        : format.size(sizeBytes);
  const second =
    size !== null && others !== null ? t("forward.sizeAndOthers", { size, others }) : (size ?? others);
  return (
    <Line icon={stored ? iconOf(stored.description) : fileIcon(fileName, mimeType)} second={second}>
      <MiddleEllipsis text={fileName} className="font-medium text-body" />
    </Line>
  );
}

interface LineProps {
  readonly icon: Icon;
  readonly second: string | null;
  readonly children: ReactNode;
}

function Line({ icon: Glyph, second, children }: LineProps) {
  return (
    <>
      <span className="flex size-10 shrink-0 items-center justify-center rounded-tile bg-raised text-text-2">
        <Glyph size={18} />
      </span>
      <div className="min-w-0 flex-1">
        {children}
        {second !== null && <p className="text-meta text-text-2">{second}</p>}
      </div>
    </>
  );
}
