import { type NearbyStatus, peersOf } from "@warren/core";
import { useEffect, useId } from "react";
import { useLocation } from "wouter";
import { useShallow } from "zustand/react/shallow";
import { useT } from "../i18n/use-t.ts";
import { useNewRoom } from "../room/join/use-new-room.ts";
import { LocalNetworkHint } from "../room/local-network-hint.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Switch } from "../ui/fields/switch.tsx";
import { QrIcon } from "../ui/icons.ts";
import { openDialog } from "../wiring/dialogs/open-dialog.ts";
import { lazyWithPreload } from "../wiring/lazy-with-preload.ts";
import { paths } from "../wiring/paths.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { useOption, useStore, useWarren } from "../wiring/warren-context.ts";
import { NearbyRow } from "./nearby-row.tsx";

const MeetByCodeDialog = lazyWithPreload(() => import("./meet-by-code-dialog.tsx"));

/** The people on this network: a switch that is remembered, and a row for each. */
export function NearbySection({ className }: { readonly className?: string }) {
  const t = useT();
  const id = useId();
  const switchId = useId();
  const { nearby, room, settings } = useWarren();
  const isOn = useOption("nearby");
  const status = useStore(nearby.store);
  const people = useStore(
    room.store,
    useShallow((state) => (state.status === "nearby" ? Object.keys(peersOf(state)) : [])),
  );
  useReturnFromOtherTab(status);
  const [, navigate] = useLocation();
  const meetByCode = async (): Promise<void> => {
    const met = await openDialog(MeetByCodeDialog, {});
    if (!met.cancelled) navigate(paths.chat.href(met.value));
  };
  return (
    <section
      aria-labelledby={id}
      className={cx("w-full rounded-card border border-line-2 bg-raised p-5 pb-4 text-left", className)}
    >
      <label htmlFor={switchId} className="flex cursor-pointer items-start gap-3 touch:min-h-11">
        <span className="min-w-0 flex-1">
          <h2 id={id} className="text-heading">
            {t("nearby.title")}
          </h2>
          <span className="mt-0.5 block text-compact text-text-2">{t("nearby.line")}</span>
        </span>
        <Switch
          id={switchId}
          checked={isOn}
          aria-labelledby={id}
          className="mt-0.5"
          onChange={(checked) => settings.set("nearby", checked)}
        />
      </label>
      <LocalNetworkHint className="mt-2" />
      <Button
        variant="accent-text"
        size="sm"
        icon={QrIcon}
        className="mt-2 -ml-2.5 touch:-ml-3"
        onClick={() => void meetByCode()}
      >
        {t("meetByCode.open")}
      </Button>
      {/* As high as the row of the first person, so that nothing moves when they come. */}
      <div className={cx("mt-1", isOn && "min-h-[90px] touch:min-h-[110px]")}>
        {people.length > 0 && (
          <ul aria-labelledby={id} className="flex flex-col gap-1">
            {people.map((id) => (
              <NearbyRow key={id} personId={id} />
            ))}
          </ul>
        )}
        <div role="status" className="text-compact text-text-2">
          {(status !== "on" || people.length === 0) && <StatusLine status={status} />}
        </div>
      </div>
    </section>
  );
}

const lines = {
  joining: "nearby.joining",
  on: "nearby.nobody",
  full: "nearby.full",
  unreachable: "nearby.unreachable",
  unavailable: "nearby.unavailable",
  elsewhere: "nearby.elsewhere",
} as const;

/** What there is to know while nobody is listed, and what helps. */
function StatusLine({ status }: { readonly status: NearbyStatus }) {
  const t = useT();
  const newRoom = useNewRoom();
  const { nearby } = useWarren();
  const { roomLock } = usePlatform();
  if (status === "off" || status === "away") return null;
  const useHere = (): void => {
    roomLock.takeOver();
    nearby.retry();
  };
  return (
    <div className="flex flex-col items-start gap-2 pt-2">
      <p>{t(lines[status])}</p>
      {(status === "full" || status === "unavailable") && (
        <Button onClick={newRoom.create}>{t("nearby.sendLink")}</Button>
      )}
      {status === "elsewhere" && <Button onClick={useHere}>{t("connection.useHere")}</Button>}
    </div>
  );
}

/** Meets them here again once the other tab of this browser has closed, or has turned to something else. */
function useReturnFromOtherTab(status: NearbyStatus): void {
  const { nearby } = useWarren();
  const { roomLock } = usePlatform();
  const other = useStore(roomLock.other);
  const isElsewhere = status === "elsewhere";
  useEffect(() => (isElsewhere ? roomLock.watch() : undefined), [roomLock, isElsewhere]);
  useEffect(() => {
    if (isElsewhere && other.status === "gone") nearby.retry();
  }, [nearby, isElsewhere, other.status]);
}
