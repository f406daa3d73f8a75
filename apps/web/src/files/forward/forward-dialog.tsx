import { type ConversationId, everyone } from "@warren/core";
import { contentSizeOf, type RoomTag, truncated } from "@warren/protocol";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { EveryoneAvatar, PersonAvatar } from "../../people/person-avatar.tsx";
import { FittingRouteLine } from "../../people/route-line.tsx";
import { useRoomName } from "../../room/room-name.ts";
import { useNobodyHere } from "../../room/use-nobody-here.ts";
import { useRoomActions } from "../../room/use-room-actions.ts";
import type { ForwardItem } from "../../tab/forward-item.ts";
import { Button, GuardedButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Checkbox } from "../../ui/fields/checkbox.tsx";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { ChatIcon, type Icon, PeopleIcon, QrIcon } from "../../ui/icons.ts";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { DialogSlot } from "../../ui/overlays/dialog-control.ts";
import { MiddleEllipsis } from "../../ui/text/middle-ellipsis.tsx";
import { useRoomStatus, useStore, useWarren } from "../../wiring/warren-context.ts";
import { sizeText } from "../card/file-card-view.ts";
import { fileIcon, iconOf } from "../file-kind.ts";
import { treeName } from "../tree/tree-name.ts";
import { findTargets, type Target, useTargets } from "./use-targets.ts";

/** The chosen recipients, and the room that we were in. */
interface Recipients {
  readonly targets: readonly ConversationId[];
  readonly room: RoomTag;
}

interface ForwardDialogProps extends DialogSlot<Recipients> {
  readonly items: readonly ForwardItem[];
}

const nobody: ReadonlySet<ConversationId> = new Set();

/** Asks for the recipients of items; submits them in list order, followed by chosen peers that have left. */
export default function ForwardDialog({ items, dialog }: ForwardDialogProps) {
  const t = useT();
  // Whoever wrote it all has it.
  const targets = useTargets().filter(({ id }) => items.some(({ author }) => author !== id));
  const { chat } = useWarren();
  const room = useStore(chat.store, (state) => state.room);
  const [choice, setChoice] = useState({ room, ids: nobody });
  // Nobody was chosen in a room that we have gone to meanwhile.
  const chosen = choice.room === room ? choice.ids : nobody;
  const present = targets.map(({ id }) => id).filter((id) => chosen.has(id));
  // No longer in the list; the result lists them as unsent.
  const left = [...chosen].filter((id) => !present.includes(id));
  const isForAll = present.includes(everyone);
  const toggle = (id: ConversationId): void => {
    const ids = new Set(chosen);
    if (!ids.delete(id)) ids.add(id);
    setChoice({ room, ids });
  };
  return (
    <Dialog dialog={dialog} title={t("forward.title", { count: items.length })} closable>
      <ItemsPreview items={items} />
      {targets.length === 0 ? (
        <NobodyOnline />
      ) : (
        <TargetList targets={targets} chosen={chosen} onToggle={toggle} />
      )}
      <div className="mt-3 flex items-center justify-end gap-2 border-line border-t pt-3.5 max-md:flex-wrap max-md:*:flex-1">
        <p aria-live="polite" className="mr-auto text-meta text-text-2 max-md:basis-full">
          {present.length > 0 &&
            (present.includes(everyone)
              ? t("forward.everyoneChosen")
              : t("forward.chosen", { count: present.length }))}
        </p>
        <Button variant="ghost" onClick={dialog.cancel}>
          {t("common.cancel")}
        </Button>
        <GuardedButton
          variant="primary"
          disabledReason={present.length === 0 ? t("forward.chooseFirst") : undefined}
          onClick={() => dialog.submit({ targets: isForAll ? [everyone] : [...present, ...left], room })}
        >
          {t("common.forward")}
        </GuardedButton>
      </div>
    </Dialog>
  );
}

interface TargetListProps {
  readonly targets: readonly Target[];
  readonly chosen: ReadonlySet<ConversationId>;
  readonly onToggle: (id: ConversationId) => void;
}

function TargetList({ targets, chosen, onToggle }: TargetListProps) {
  const t = useT();
  const [query, setQuery] = useState("");
  const list = useRef<HTMLFieldSetElement>(null);
  const found = findTargets(targets, query);
  const onKeyDown = (event: KeyboardEvent): void => {
    const [first] = found;
    if (event.key === "Enter" && first !== undefined && query.trim() !== "") onToggle(first.id);
    else if (event.key === "ArrowDown") list.current?.querySelector("input")?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <>
      <SearchField
        label={t("forward.search")}
        value={query}
        onChange={setQuery}
        className="mt-3 shrink-0"
        onKeyDown={onKeyDown}
      />
      <fieldset
        ref={list}
        className="-mx-3 mt-2 max-h-[300px] min-h-0 overflow-y-auto overscroll-contain"
        onKeyDown={moveBetweenInputs}
      >
        <legend className="sr-only">{t("forward.people")}</legend>
        {found.map((target) => (
          <TargetRow
            key={target.id}
            target={target}
            isChosen={chosen.has(target.id)}
            onToggle={() => onToggle(target.id)}
          />
        ))}
        {found.length === 0 && (
          <p role="status" className="py-8 text-center text-body text-text-2">
            {t("common.noResults")}
          </p>
        )}
      </fieldset>
    </>
  );
}

interface TargetRowProps {
  readonly target: Target;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

function TargetRow({ target, isChosen, onToggle }: TargetRowProps) {
  const t = useT();
  const { id, name, avatar, status } = target;
  const roomName = useRoomName();
  const isRoom = id === everyone;
  const isHere = status === "online";
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is its control
    <label className="flex h-13 cursor-pointer items-center gap-3 rounded-row px-3 hover:bg-hover hover:[--ground:var(--hover)]">
      <Checkbox checked={isChosen} onChange={onToggle} />
      {isRoom ? (
        <EveryoneAvatar size={36} />
      ) : (
        <PersonAvatar id={id} name={name} avatar={avatar} size={36} status={status} />
      )}
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium text-body">{name}</span>
        {isHere && !isRoom ? (
          <FittingRouteLine person={target} className="text-text-2" />
        ) : (
          <span
            className={isHere ? "block truncate text-meta text-text-2" : "block truncate text-meta text-warn"}
          >
            {isRoom ? t("forward.everyoneIn", { room: roomName }) : t("forward.whenBack")}
          </span>
        )}
      </span>
    </label>
  );
}

function NobodyOnline() {
  const t = useT();
  const { join, shareRoom } = useRoomActions();
  const status = useRoomStatus();
  const nobodyHere = useNobodyHere();
  return (
    <EmptyState
      icon={PeopleIcon}
      title={nobodyHere}
      className="py-6"
      action={
        status === "connected" ? (
          <Button icon={QrIcon} onClick={() => void shareRoom()}>
            {t("people.shareRoom")}
          </Button>
        ) : (
          <Button loading={status === "connecting"} onClick={() => void join()}>
            {t("profile.join")}
          </Button>
        )
      }
    >
      {t(status === "connected" ? "forward.nobodyLine" : "forward.joinLine")}
    </EmptyState>
  );
}

function moveBetweenInputs(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (step === undefined) return;
  if (!(event.target instanceof HTMLInputElement)) return;
  const inputs = [...event.currentTarget.querySelectorAll("input")];
  inputs[inputs.indexOf(event.target) + step]?.focus();
  event.preventDefault();
}

/** The number of characters shown of a text. */
const shownMax = 200;

/** Previews the items to send: the first one and the number of others. */
function ItemsPreview({ items }: { readonly items: readonly ForwardItem[] }) {
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
  const stored = useStore(files.store, (state) => (item.type === "cache" ? state.get(item.fid) : undefined));
  if (item.type === "text") {
    return (
      <Line icon={ChatIcon} second={others}>
        <p className="line-clamp-2 break-words text-body">{truncated(item.text, shownMax)}</p>
      </Line>
    );
  }
  const fileName =
    item.type === "file" ? item.file.name : stored ? treeName(stored.description, t) : item.fileName;
  const mimeType = item.type === "file" ? item.file.type : (stored?.description.mimeType ?? "");
  const sized =
    item.type === "file"
      ? { fileSize: item.file.size }
      : stored && { fileSize: contentSizeOf(stored.description), tree: stored.description.tree };
  const size = sized ? sizeText(sized, { t, format }) : null;
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
