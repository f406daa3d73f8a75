import { type ChatState, peersOf, type RoomState } from "@warren/core";
import { useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { useShallow } from "zustand/react/shallow";
import { errorText } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import type { OtherTab } from "../../platform/network/room-lock.ts";
import { useWaitingLine } from "../../room/join/join-button.tsx";
import { joinProblemOf } from "../../room/join/join-problem.ts";
import { isElsewhere, useOtherTab } from "../../room/join/use-elsewhere.ts";
import { useRoomName } from "../../room/room-name.ts";
import { useRoomActions } from "../../room/use-room-actions.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { InfoIcon, RefreshIcon, WarningIcon } from "../../ui/icons.ts";
import { useDevice } from "../../wiring/device-context.tsx";
import { confirm } from "../../wiring/dialogs/question.tsx";
import { isHome, isOfConversation, paths } from "../../wiring/paths.ts";
import { useRun } from "../../wiring/use-run.ts";
import { useProfile, useRoom, useStore, useWarren } from "../../wiring/warren-context.tsx";

/** The most urgent persistent state the user should know of; null while all is well. */
export function lastingState(
  room: RoomState,
  online: boolean,
  other: OtherTab,
  { unsaved, loadError }: Pick<ChatState, "unsaved" | "loadError"> = { unsaved: 0, loadError: null },
):
  | "offline"
  | "other-tab"
  | "outdated"
  | "refused"
  | "signalling-lost"
  | "unsaved"
  | "unreadable"
  | "waiting"
  | "not-joined"
  | null {
  if (!online) return "offline";
  if (isElsewhere(room, other)) return "other-tab";
  if (room.status === "disconnected" && room.error?.code === "another-version") return "outdated";
  if (room.status === "disconnected" && joinProblemOf(room.error) !== null) return "refused";
  const lost = room.status === "connected" && room.signalling === "reconnecting";
  if (loadError !== null) return "unreadable";
  if (unsaved > 0) return "unsaved";
  if (lost && Object.keys(peersOf(room)).length > 0) return "signalling-lost";
  if (room.status === "connecting" && room.isWaiting) return "waiting";
  return room.status === "disconnected" ? "not-joined" : null;
}

interface BannersProps {
  /** The room of the link that the page below asks about; that page handles joining. */
  readonly invitedTo?: string;
}

/** Shows persistent states and their next step above every page. */
export function Banners({ invitedTo }: BannersProps) {
  const t = useT();
  const room = useRoom();
  const { join, leave } = useRoomActions();
  const waitingLine = useWaitingLine();
  const online = useOnline();
  const other = useOtherTab();
  const profile = useProfile();
  const roomName = useRoomName();
  const roomId = invitedTo ?? profile.roomId;
  const otherRoom = (other.status === "there" ? other.roomId : null) ?? roomId;
  const [pathname, navigate] = useLocation();
  const stored = useStore(
    useWarren().chat.store,
    useShallow(({ unsaved, loadError }) => ({ unsaved, loadError })),
  );
  switch (lastingState(room, online, other, stored)) {
    case "offline":
      return (
        <Banner tone="warn" icon={WarningIcon}>
          {t("connection.offline")}
        </Banner>
      );
    case "unreadable":
      return (
        <Banner tone="warn" icon={WarningIcon} action={<ContinueInMemory />}>
          {t("connection.unreadable")}
        </Banner>
      );
    case "unsaved":
      return (
        <Banner tone="warn" icon={WarningIcon}>
          {t("connection.unsaved")}
        </Banner>
      );
    case "signalling-lost":
      return (
        <Banner tone="warn" icon={RefreshIcon}>
          {t("connection.signallingLost")}
        </Banner>
      );
    case "other-tab":
      return (
        <Banner
          tone="accent"
          icon={InfoIcon}
          {...(invitedTo === undefined && {
            action: (
              <Button size="sm" onClick={() => void join()}>
                {t("connection.useHere")}
              </Button>
            ),
          })}
        >
          {t(otherRoom !== roomId ? "connection.otherRoomTab" : "connection.elsewhere", { room: otherRoom })}
        </Banner>
      );
    case "outdated":
      return (
        <Banner tone="warn" icon={RefreshIcon} action={<ReloadAnew />}>
          {t("error.another-version")}
        </Banner>
      );
    case "refused":
      // The start page shows it beside the field that fixes it.
      if (isHome(pathname) || room.status !== "disconnected" || room.error === null) return null;
      return (
        <Banner
          tone="warn"
          icon={WarningIcon}
          action={
            <Button size="sm" onClick={() => navigate(paths.home.href)}>
              {t("connection.joinAgain")}
            </Button>
          }
        >
          {errorText(room.error)}
        </Banner>
      );
    case "waiting":
      // The start page shows both itself.
      if (!needsRoom(pathname)) return null;
      return (
        <Banner
          tone="accent"
          icon={InfoIcon}
          action={
            <Button size="sm" onClick={() => void leave()}>
              {t("arrival.leaveWhileConnecting")}
            </Button>
          }
        >
          {waitingLine}
        </Banner>
      );
    case "not-joined":
      if (!needsRoom(pathname)) return null;
      return (
        <Banner
          tone="accent"
          icon={InfoIcon}
          action={
            <Button size="sm" onClick={() => void join()}>
              {t("profile.join")}
            </Button>
          }
        >
          {t("connection.notJoined", { room: invitedTo ?? roomName })}
        </Banner>
      );
    case null:
      return null;
  }
}

/** Whether a page is of little use outside of a room: a conversation, the comparison of files, the call. */
function needsRoom(pathname: string): boolean {
  return isOfConversation(pathname) || pathname === paths.call.path;
}

/** Offers to continue in memory, without the stored data, if storage never opens. */
function ContinueInMemory() {
  const t = useT();
  const { browserData } = useDevice();
  const ask = async (): Promise<void> => {
    const isConfirmed = await confirm({
      title: t("connection.inMemoryTitle"),
      line: t("connection.inMemoryQuestion"),
      verb: t("connection.inMemory"),
    });
    if (isConfirmed) browserData.continueInMemory();
  };
  return (
    <Button size="sm" onClick={() => void ask()}>
      {t("connection.inMemory")}
    </Button>
  );
}

function ReloadAnew() {
  const t = useT();
  const run = useRun();
  const { browserData } = useDevice();
  return (
    <Button size="sm" onClick={() => void run(browserData.reloadAnew)}>
      {t("common.reload")}
    </Button>
  );
}

function subscribeToOnline(changed: () => void): () => void {
  const listening = new AbortController();
  window.addEventListener("online", changed, { signal: listening.signal });
  window.addEventListener("offline", changed, { signal: listening.signal });
  return () => listening.abort();
}

/** Whether the device reports a network. False is certain; true only means that there is some network. */
function useOnline(): boolean {
  return useSyncExternalStore(subscribeToOnline, () => navigator.onLine);
}
