import { everyone, type FileMessage } from "@warren/core";
import { useRef } from "react";
import { useT } from "../../i18n/use-t.ts";
import { firstNameOf } from "../../people/shown-name.ts";
import { useName } from "../../people/use-person.ts";
import { cx } from "../../ui/cx.ts";
import { CheckCheckIcon } from "../../ui/icons.ts";
import { MiddleEllipsis } from "../../ui/middle-ellipsis.tsx";
import { ProgressBar } from "../../ui/progress.tsx";
import { useKeptFocus } from "../../ui/use-kept-focus.ts";
import { FileActions } from "../file-actions.tsx";
import { Figures, tones } from "../file-card.tsx";
import type { FileCardView } from "../file-card-view.ts";
import { iconOf } from "../file-kind.ts";
import { useTreeEntries } from "../tree/use-tree-entries.ts";
import { useTreeName } from "../tree/use-tree-words.ts";
import { useFileCard } from "../use-file-card.ts";

const nothing = (): void => {};

interface TransferRowProps {
  readonly message: FileMessage;
  readonly isMine: boolean;
}

/** A transfer in the tray: like its card, with its sender or recipients. */
export function TransferRow({ message, isMine }: TransferRowProps) {
  const t = useT();
  const view = useFileCard(message, isMine, useTreeEntries(message, isMine));
  const name = useTreeName(message.file);
  const Glyph = iconOf(message.file);
  const actions = view.actions.filter((action) => action !== "more");
  const actionsBox = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(actionsBox);
  return (
    <li
      {...keptFocus}
      className="grid grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-3 py-3 pr-3 pl-4"
    >
      <span className="flex size-10 items-center justify-center rounded-tile bg-sunken text-text-2">
        <Glyph size={18} />
      </span>
      <div className="min-w-0">
        <MiddleEllipsis text={name} className="text-body font-medium" />
        <Line message={message} isMine={isMine} view={view} />
      </div>
      <div ref={actionsBox} className="flex items-center gap-1">
        <FileActions message={message} actions={actions} onDelete={nothing} />
        {view.mark?.kind === "received" && <CheckCheckIcon size={18} className="mx-1 text-text-2" />}
      </div>
      {view.bar !== null && (
        <div className="col-start-2 col-end-4 mt-2 pr-1">
          <ProgressBar
            value={view.bar.fraction}
            tone={view.bar.tone}
            label={t("file.progressLabel", { name })}
            valueText={view.bar.valueText}
          />
          {view.label === "transferring" && <Figures view={view} />}
        </div>
      )}
    </li>
  );
}

/** "From Mara, 1.11 of 2.47 GiB"; an error is shown alone. */
function Line({ message, isMine, view }: TransferRowProps & { readonly view: FileCardView }) {
  const t = useT();
  const [firstPeer = message.client, ...others] = Object.keys(message.transfers);
  const onlyName = firstNameOf(useName(isMine ? firstPeer : message.client));
  const isRoom = message.conversation === everyone && others.length > 0;
  const name = isRoom ? t("transfers.everyone") : onlyName;
  const text = view.mark?.kind === "verified" ? t("transfers.verified", { text: view.sub }) : view.sub;
  const words = isMine ? t("transfers.to", { name, text }) : t("transfers.from", { name, text });
  return (
    <p className={cx("text-meta text-pretty break-words", tones[view.tone])}>
      {view.tone === "plain" ? words : view.sub}
    </p>
  );
}
