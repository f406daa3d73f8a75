import { peersOf, type RoomState } from "@warren/core";
import { useRoom } from "../../components/warren-context.tsx";
import { useRoomActions } from "../../dialogs/use-room-actions.ts";
import { useOnline } from "../../hooks/use-online.ts";
import { useT } from "../../i18n/use-t.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { InfoIcon, RefreshIcon, WarningIcon } from "../../ui/icons.tsx";

/** The one state that lasts and that a person should know of, most urgent first; null while all is well. */
export function lastingState(
  room: RoomState,
  online: boolean,
): "offline" | "other-tab" | "signalling-lost" | null {
  if (!online) return "offline";
  if (room.status === "disconnected") return room.error?.code === "signalling-replaced" ? "other-tab" : null;
  const lost = room.status === "connected" && room.signalling === "reconnecting";
  return lost && Object.keys(peersOf(room)).length > 0 ? "signalling-lost" : null;
}

/** Says what lasts and what happens next, over every page. */
export function Banners() {
  const t = useT();
  const room = useRoom();
  const { join } = useRoomActions();
  const online = useOnline();
  switch (lastingState(room, online)) {
    case "offline":
      return (
        <Banner tone="warn" icon={WarningIcon}>
          {t("connection.offline")}
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
          action={
            <Button size="sm" onClick={() => void join()}>
              {t("connection.useHere")}
            </Button>
          }
        >
          {t("connection.otherTab")}
        </Banner>
      );
    case null:
      return null;
  }
}
