import type { OnlineStatus, RoomState } from "@warren/core";
import { useT } from "../../i18n/use-t.ts";
import { OwnAvatar } from "../../people/person-avatar.tsx";
import { useOnline } from "../../ui/hooks/use-online.ts";
import { Popover } from "../../ui/overlays/popover.tsx";
import { useProfile, useStore, useWarren } from "../../wiring/warren-context.ts";
import { ProfilePanel } from "./profile-panel.tsx";

/** My avatar; it opens my identity, the room, its link, and app-wide settings. */
export function ProfilePopover({ side }: { readonly side: "right" | "bottom" }) {
  const t = useT();
  const profile = useProfile();
  const inRoom = useStore(useWarren().room.store, ownStatus);
  const status = useOnline() ? inRoom : "offline";
  const trigger = (
    <button
      type="button"
      aria-label={t("nav.profile", { name: profile.name })}
      className="rounded-full touch:-m-1 touch:p-1"
    >
      <OwnAvatar size={36} status={status} className="[--ground:var(--canvas)]" />
    </button>
  );
  return (
    <Popover
      trigger={trigger}
      label={t("profile.label")}
      side={side}
      // Beside the rail, not on it: its buttons are wider than the picture.
      offset={side === "right" ? 18 : 8}
      align="end"
      isSheet
      padding="none"
    >
      {(close) => <ProfilePanel close={close} />}
    </Popover>
  );
}

/** The dot of my own avatar. */
function ownStatus(room: RoomState): OnlineStatus {
  if (room.status !== "connected") return room.status === "connecting" ? "connecting" : "offline";
  return room.signalling === "online" ? "online" : "reconnecting";
}
