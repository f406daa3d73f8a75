import { everyone } from "@warren/core";
import { useEffect, useId, useRef } from "react";
import { useLocation, useSearch } from "wouter";
import { forward } from "../files/forward/forward.ts";
import { sendItem } from "../files/forward/send-item.ts";
import { type Target, useTargets } from "../files/forward/use-targets.ts";
import { useT } from "../i18n/use-t.ts";
import { PersonAvatar } from "../people/person-avatar.tsx";
import { FittingRouteLine } from "../people/route-line.tsx";
import { useNobodyHere } from "../room/use-nobody-here.ts";
import { useRoomActions } from "../room/use-room-actions.ts";
import type { ForwardItem } from "../tab/forward-item.ts";
import { useShareTray, useTab } from "../tab/tab-context.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { useAbortableEffect } from "../ui/hooks/use-abortable-effect.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { ChevronRightIcon, CloseIcon, ForwardIcon, PeopleIcon, QrIcon } from "../ui/icons.ts";
import { paths } from "../wiring/paths.ts";
import { toast } from "../wiring/toast.ts";
import { useRoomStatus, useWarren } from "../wiring/warren-context.ts";
import { readLeftOut, readShared } from "./read-shared.ts";

/** The target for other apps' shares: items are pending until a recipient is chosen. */
export default function SharePage() {
  const t = useT();
  const [pathname, navigate] = useLocation();
  const search = useSearch();
  const { items } = useShareTray();
  const { shareTray } = useTab();
  const targets = useTargets();
  const taken = useRef("");
  useEffect(() => {
    if (search === "" || search === taken.current) return;
    taken.current = search;
    const shared = readShared(search);
    if (shared.length > 0) shareTray.put(shared);
    const leftOut = readLeftOut(search);
    if (leftOut > 0)
      toast.warning(t("shareTarget.leftOut", { count: leftOut }), {
        id: "share-left-out",
        description: t("shareTarget.leftOutLine"),
        durationMs: Number.POSITIVE_INFINITY,
      });
  }, [t, search, shareTray]);
  useAbortableEffect(
    (signal) => {
      if (search === "") return;
      // Removed from the address, where others could read it and a reload would add it twice; but only once it is
      // stored, so that a reload does not lose it.
      void shareTray.whenPersisted().then(() => {
        if (!signal.aborted) navigate(pathname, { replace: true });
      });
    },
    [search, shareTray, pathname, navigate],
  );

  if (items.length === 0) {
    return (
      <div className="flex flex-1 items-center justify-center overflow-y-auto bg-surface p-5">
        <EmptyState
          icon={ForwardIcon}
          heading="h1"
          title={t("shareTray.empty")}
          action={<Button onClick={() => navigate(paths.home.href)}>{t("notFound.home")}</Button>}
        >
          {t("shareTray.emptyLine")}
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="min-w-0 flex-1 overflow-y-auto bg-surface [--ground:var(--surface)]">
      <div className="mx-auto max-w-[520px] px-4 py-8 max-md:pt-5">
        <h1 className="text-title">{t("shareTray.title")}</h1>
        <ul className="mt-4 flex flex-col gap-2">
          {items.map((item, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items can be equal, and are only removed
            <SharedItem key={i} item={item} />
          ))}
        </ul>
        <NewInTray />
        {targets.length === 0 ? <NobodyHere /> : <People items={items} targets={targets} />}
      </div>
    </div>
  );
}

/** A second share, and the question which of the two to keep. */
function NewInTray() {
  const t = useT();
  const { newItems } = useShareTray();
  const { shareTray } = useTab();
  const titleId = useId();
  if (newItems.length === 0) return null;
  return (
    <section aria-labelledby={titleId} className="mt-4 rounded-card border border-line-2 p-4">
      <h2 id={titleId} className="text-heading-sm">
        {t("shareTray.new")}
      </h2>
      <p className="mt-1 text-body text-text-2">{t("shareTray.newLine")}</p>
      <ul className="mt-3 flex flex-col gap-2">
        {newItems.map((item, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items can be equal, and are only removed
          <SharedItem key={i} item={item} />
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={() => shareTray.resolve("both")}>{t("shareTray.keepBoth")}</Button>
        <Button onClick={() => shareTray.resolve("new")}>{t("shareTray.keepNew")}</Button>
        <Button onClick={() => shareTray.resolve("old")}>{t("shareTray.keepOld")}</Button>
      </div>
    </section>
  );
}

function SharedItem({ item }: { readonly item: ForwardItem }) {
  const t = useT();
  const { shareTray } = useTab();
  const words = item.type === "text" ? item.text : item.type === "file" ? item.file.name : item.fileName;
  return (
    <li className="flex items-start gap-2 rounded-card bg-sunken py-2 pr-2 pl-4">
      <p className="line-clamp-4 min-w-0 flex-1 whitespace-pre-wrap break-words py-1 text-body">{words}</p>
      <IconButton
        size="sm"
        icon={CloseIcon}
        iconSize={15}
        label={t("shareTray.discard")}
        onClick={() => shareTray.remove(item)}
      />
    </li>
  );
}

interface PeopleProps {
  readonly items: readonly ForwardItem[];
  readonly targets: readonly Target[];
}

function People({ items, targets }: PeopleProps) {
  const t = useT();
  const { shareTray } = useTab();
  const warren = useWarren();
  const [, navigate] = useLocation();
  const people = targets.filter(({ id }) => id !== everyone);
  const done = (wasSent: boolean): void => {
    if (wasSent) shareTray.remove(...items);
  };
  const sendTo = async (id: string): Promise<void> => {
    const wasSent = await sendItem(warren, id, items);
    done(wasSent);
    if (wasSent) navigate(paths.chat.href(id));
  };
  return (
    <>
      <div className="mt-6 flex items-center justify-between gap-3">
        <h2 className="text-heading-sm">{t("shareTray.who")}</h2>
        {people.length > 1 && (
          <Button icon={ForwardIcon} onClick={() => void forward(warren, items).then(done)}>
            {t("shareTray.several")}
          </Button>
        )}
      </div>
      <ul className="-mx-2 mt-2">
        {people.map((target) => (
          <li key={target.id}>
            <button
              type="button"
              className="flex h-15 w-full items-center gap-3 rounded-row px-2 text-left transition-colors hover:bg-hover hover:[--ground:var(--hover)]"
              onClick={() => void sendTo(target.id)}
            >
              <PersonAvatar
                id={target.id}
                name={target.name}
                avatar={target.avatar}
                size={40}
                status={target.status}
              />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium text-body">{target.name}</span>
                {target.status === "online" ? (
                  <FittingRouteLine person={target} className="text-text-2" />
                ) : (
                  <span className="block truncate text-meta text-text-2">{t("forward.whenBack")}</span>
                )}
              </span>
              <ChevronRightIcon size={16} className="text-text-3" />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Without recipients: the items stay pending, and the next step is shown. */
function NobodyHere() {
  const t = useT();
  const [, navigate] = useLocation();
  const { shareRoom } = useRoomActions();
  const isInRoom = useRoomStatus() === "connected";
  const nobodyHere = useNobodyHere();
  return (
    <EmptyState
      icon={PeopleIcon}
      title={nobodyHere}
      className="pt-10"
      action={
        isInRoom ? (
          <Button icon={QrIcon} onClick={() => void shareRoom()}>
            {t("people.shareRoom")}
          </Button>
        ) : (
          <Button variant="primary" onClick={() => navigate(paths.home.href)}>
            {t("profile.join")}
          </Button>
        )
      }
    >
      {isInRoom ? t("shareTray.waitsForPeople") : t("shareTray.waitsForRoom")}
    </EmptyState>
  );
}
