import { type ConversationId, everyone, isStarter } from "@warren/core";
import { memo, type ReactNode } from "react";
import { Link } from "wouter";
import { useShallow } from "zustand/react/shallow";
import { movingWith } from "../../files/transfers/transfer-batch.ts";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import { useIsMuted } from "../../people/attention.ts";
import { EveryoneAvatar, PersonAvatar } from "../../people/person-avatar.tsx";
import { BriefRouteLine, FittingRouteLine } from "../../people/route-line.tsx";
import { hasRouteLine } from "../../people/route-text.ts";
import { type Person, useName, usePerson } from "../../people/use-person.ts";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/cx.ts";
import { useNow } from "../../ui/hooks/use-now.ts";
import {
  CameraIcon,
  ClockIcon,
  FolderIcon,
  MutedIcon,
  PhoneIcon,
  ShieldCheckIcon,
  TextFileIcon,
} from "../../ui/icons.ts";
import { ProgressRing } from "../../ui/progress.tsx";
import { paths } from "../../wiring/paths.ts";
import { useProfile, useStore, useWarren } from "../../wiring/warren-context.ts";
import { everyoneRowLine, personRowLine, type RowLine } from "./person-row-view.ts";

/** All that stands in the second line of a row. */
const secondLine = "text-compact max-md:text-[0.875rem]";

/** The id of the element with a person's name in the list. */
export function personNameId(personId: string): string {
  return `person-name-${personId}`;
}

interface RowProps {
  readonly isSelected: boolean;
}

/** The row of the whole room. */
export const EveryoneRow = memo(function EveryoneRow(props: RowProps) {
  const t = useT();
  const { chat } = useWarren();
  const { clientId: selfId } = useProfile();
  const conversation = useStore(chat.store, (state) => state.conversations[everyone]);
  const last = conversation?.messages.at(-1);
  const senderName = useName(last?.client ?? "");
  return (
    <Row
      {...props}
      id={everyone}
      name={t("people.everyone")}
      avatar={<EveryoneAvatar size={40} />}
      at={last?.sortedAt ?? null}
      line={everyoneRowLine(last, senderName, selfId, t)}
      unread={conversation?.unread ?? 0}
    />
  );
});

interface PersonRowProps extends RowProps {
  readonly personId: string;
  /** Whether it is known here who is in the room. */
  readonly showsStatus?: boolean;
}

/** The row of one person. Re-renders only when its own content changes. */
export const PersonRow = memo(function PersonRow({ personId, showsStatus = true, ...props }: PersonRowProps) {
  const t = useT();
  const format = useFormat();
  const { chat, room, transfers } = useWarren();
  const { clientId: selfId } = useProfile();
  const person = usePerson(personId);
  const { name, avatar, status, trustLevel, peer, contact } = person;
  const conversation = useStore(chat.store, (state) => state.conversations[personId]);
  const moving = useStore(
    transfers.store,
    useShallow((state) => movingWith(state, chat.store.getState().conversations, personId)),
  );
  const isInRoom = useStore(room.store, (state) => state.status === "connected" || state.status === "nearby");
  // The welcome conversation is neither present nor absent.
  const shownStatus = isStarter(personId) || !showsStatus ? undefined : status;
  return (
    <Row
      {...props}
      id={personId}
      name={name}
      statusWords={shownStatus && t(`people.status.${isInRoom && peer === null ? "leave" : shownStatus}`)}
      isAway={shownStatus === "offline"}
      isVerified={trustLevel === "verified"}
      avatar={<PersonAvatar id={personId} name={name} avatar={avatar} size={40} status={shownStatus} />}
      at={conversation?.messages.at(-1)?.sortedAt ?? null}
      line={personRowLine(
        {
          ...{ personId, selfId, name, trustLevel, peer, conversation, moving },
          blockedByHand: contact?.blockedByHand,
        },
        t,
        format.percent,
      )}
      routeTo={hasRouteLine(person) ? person : null}
      unread={conversation?.unread ?? 0}
    />
  );
});

interface RowContent extends RowProps {
  readonly id: ConversationId;
  readonly name: string;
  /** The status for screen readers, which cannot see the dot's shape. */
  readonly statusWords?: string | undefined;
  readonly isAway?: boolean;
  readonly isVerified?: boolean;
  readonly avatar: ReactNode;
  /** The time of the last message, ms since the epoch. */
  readonly at: number | null;
  readonly line: RowLine;
  /** Whose route is shown: beside the last message, or alone where nothing was said. */
  readonly routeTo?: Person | null;
  readonly unread: number;
}

function Row({
  id,
  name,
  statusWords,
  isAway = false,
  isVerified = false,
  avatar,
  at,
  line,
  routeTo = null,
  unread,
  isSelected,
}: RowContent) {
  const t = useT();
  const format = useFormat();
  const now = useNow();
  const isMuted = useIsMuted(id);
  const isNew = unread > 0;
  return (
    <Link
      to={paths.chat.href(id)}
      aria-current={isSelected ? "page" : undefined}
      className={cx(
        "flex h-15 items-center gap-3 rounded-row px-2 outline-offset-[-2px] transition-colors max-md:h-17",
        isSelected
          ? "bg-selected [--ground:var(--selected)]"
          : "[--ground:var(--canvas)] hover:bg-hover hover:[--ground:var(--hover)] max-md:[--ground:var(--surface)]",
      )}
    >
      {avatar}
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span
            className={cx(
              "flex min-w-0 flex-1 items-center gap-1.5 text-body",
              isNew ? "font-semibold" : "font-medium",
              isAway && !isNew && "text-text-2",
            )}
          >
            <span id={personNameId(id)} className="truncate">
              {name}
            </span>
            {isMuted && (
              <>
                <MutedIcon size={14} className="shrink-0 text-text-2" />
                <span className="sr-only">{t("people.muted")}</span>
              </>
            )}
            {isVerified && (
              <>
                <ShieldCheckIcon size={14} className="text-accent-text" />
                <span className="sr-only">{t("people.verified")}</span>
              </>
            )}
          </span>
          {statusWords !== undefined && <span className="sr-only">{statusWords}</span>}
          {at !== null && (
            <time dateTime={new Date(at).toISOString()} className="shrink-0 text-meta text-text-2">
              {format.stamp(at, now)}
            </time>
          )}
        </span>
        <span className="flex h-5 items-center gap-2">
          {routeTo !== null && line.kind === "empty" ? (
            <FittingRouteLine person={routeTo} size={secondLine} className="flex-1 text-text-2" />
          ) : (
            <SecondLine line={line} isNew={isNew} />
          )}
          {routeTo !== null && line.kind !== "empty" && (
            <BriefRouteLine person={routeTo} size={secondLine} className="text-text-2" />
          )}
          {isNew && <Badge count={unread} label={t("nav.unread", { count: unread })} />}
        </span>
      </span>
    </Link>
  );
}

function SecondLine({
  line: { kind, text, fraction },
  isNew,
}: {
  readonly line: RowLine;
  readonly isNew: boolean;
}) {
  const colour = kind === "warn" ? "text-warn" : isNew ? "text-text" : "text-text-2";
  return (
    <span
      // Another kind is another line: words that moved aside for an icon would be a shift.
      key={kind}
      className={cx("flex min-w-0 flex-1 items-center gap-2", secondLine, colour)}
    >
      {kind === "moving" && <ProgressRing value={fraction ?? 0} />}
      {kind === "waiting" && <ClockIcon size={13} className="stroke-2" />}
      {kind === "file" && <TextFileIcon size={13} className="stroke-2" />}
      {kind === "voice-call" && <PhoneIcon size={13} className="stroke-2" />}
      {kind === "video-call" && <CameraIcon size={13} className="stroke-2" />}
      {kind === "folder" && <FolderIcon size={13} className="stroke-2" />}
      <span className={cx("truncate", kind === "moving" && "tabular-nums")}>{text}</span>
    </span>
  );
}
