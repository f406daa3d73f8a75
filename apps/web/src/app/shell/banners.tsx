import type { ComponentProps, ReactNode } from "react";
import { useLocation } from "wouter";
import { useShallow } from "zustand/react/shallow";
import { errorText } from "../../i18n/i18n.ts";
import { useT } from "../../i18n/use-t.ts";
import { useOtherTab } from "../../room/join/use-elsewhere.ts";
import { useWaitingLine } from "../../room/join/use-waiting-line.ts";
import { useRoomName } from "../../room/room-name.ts";
import { useRoomActions } from "../../room/use-room-actions.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { useOnline } from "../../ui/hooks/use-online.ts";
import { InfoIcon, RefreshIcon, WarningIcon } from "../../ui/icons.ts";
import { confirm } from "../../wiring/dialogs/question.tsx";
import { paths } from "../../wiring/paths.ts";
import { usePlatform } from "../../wiring/platform-context.ts";
import { useProfile, useRoom, useStore, useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";
import { mostUrgentState } from "./most-urgent-state.ts";

interface BannersProps {
  /** The room of the link that the page below asks about; that page handles joining. */
  readonly invitedTo?: string;
}

interface BannerContent extends Pick<ComponentProps<typeof Banner>, "tone" | "icon" | "action"> {
  readonly text: string;
}

/** Shows persistent states and their next step above every page. */
export function Banners({ invitedTo }: BannersProps) {
  const banner = useBanner(invitedTo);
  if (banner === null) return null;
  const { text, ...rest } = banner;
  return <Banner {...rest}>{text}</Banner>;
}

function useBanner(invitedTo: string | undefined): BannerContent | null {
  const t = useT();
  const room = useRoom();
  const { join, leave } = useRoomActions();
  const waitingLine = useWaitingLine();
  const online = useOnline();
  const otherTab = useOtherTab();
  const profile = useProfile();
  const roomName = useRoomName();
  const roomId = invitedTo ?? profile.roomId;
  const otherRoom = (otherTab.status === "there" ? otherTab.roomId : null) ?? roomId;
  const [pathname, navigate] = useLocation();
  const stored = useStore(
    useWarren().chat.store,
    useShallow(({ unsaved, loadError }) => ({ unsaved, loadError })),
  );
  const button = (label: string, onClick: () => void): ReactNode => (
    <Button size="sm" onClick={onClick}>
      {label}
    </Button>
  );
  const isInvited = invitedTo !== undefined;
  const state = mostUrgentState({ room, online, otherTab, stored, pathname, isInvited });
  switch (state?.kind) {
    case "offline":
      return { tone: "warn", icon: WarningIcon, text: t("connection.offline") };
    case "unreadable":
      return {
        tone: "warn",
        icon: WarningIcon,
        text: t("connection.unreadable"),
        action: <ContinueInMemory />,
      };
    case "unsaved":
      return { tone: "warn", icon: WarningIcon, text: t("connection.unsaved") };
    case "signalling-lost":
      return { tone: "warn", icon: RefreshIcon, text: t("connection.signallingLost") };
    case "other-tab":
      return {
        tone: "accent",
        icon: InfoIcon,
        text: t(otherRoom !== roomId ? "connection.otherRoomTab" : "connection.elsewhere", {
          room: otherRoom,
        }),
        action: !isInvited && button(t("connection.useHere"), () => void join()),
      };
    case "outdated":
      return { tone: "warn", icon: RefreshIcon, text: t("error.another-version"), action: <ReloadAnew /> };
    case "refused":
      return {
        tone: "warn",
        icon: WarningIcon,
        text: errorText(state.error),
        action: button(t("connection.joinAgain"), () => navigate(paths.home.href)),
      };
    case "waiting":
      if (waitingLine === null) return null;
      return {
        tone: "accent",
        icon: InfoIcon,
        text: waitingLine,
        action: button(t("arrival.leaveWhileConnecting"), () => void leave()),
      };
    case "not-joined":
      return {
        tone: "accent",
        icon: InfoIcon,
        text: t("connection.notJoined", { room: invitedTo ?? roomName }),
        action: button(t("profile.join"), () => void join()),
      };
    case undefined:
      return null;
  }
}

/** Offers to continue in memory, without the stored data, if storage never opens. */
function ContinueInMemory() {
  const t = useT();
  const { browserData } = usePlatform();
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
  const { browserData } = usePlatform();
  return (
    <Button size="sm" onClick={() => void withErrorToast(browserData.reloadPastCache)}>
      {t("common.reload")}
    </Button>
  );
}
