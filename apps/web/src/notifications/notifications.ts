import { systemClock } from "@warren/core";
import { useEffect, useEffectEvent } from "react";
import { useLocation } from "wouter";
import { useT } from "../i18n/use-t.ts";
import { useUnread } from "../people/attention.ts";
import { firstNameOf } from "../people/shown-name.ts";
import { useNameOf } from "../people/use-person.ts";
import { playSound } from "../platform/play-sound.ts";
import { useNameOfRoom } from "../room/room-name.ts";
import { isEmptyDraft } from "../tab/drafts.ts";
import { useTab } from "../tab/tab-context.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { toast } from "../wiring/toast.ts";
import { useWarren } from "../wiring/warren-context.ts";
import { withErrorToast } from "../wiring/with-error-toast.ts";
import { NotificationService } from "./notification-service.ts";
import { useSwitchNotifications } from "./use-notifications.ts";

/** Where a browser keeps that notifications were suggested. */
const suggestedKey = "notifications_suggested";
/** Long enough to read it and decide. */
const suggestionMs = 20_000;

/** Tells of what happens while the page is not seen: by notifications, sounds, and the count on the app's icon. Rendered once. */
export function Notifications() {
  const warren = useWarren();
  const { drafts } = useTab();
  const { notifier } = usePlatform();
  const [, navigate] = useLocation();
  const nameOf = useNameOf();
  const open = useEffectEvent((path: string) => navigate(path));
  const named = useEffectEvent(nameOf);
  const roomNamed = useEffectEvent(useNameOfRoom());
  const suggest = useSuggestion();
  const onMissed = useEffectEvent(suggest);
  useAppBadge();
  useEffect(() => {
    const service = new NotificationService({
      ...{ warren, notifier, withErrorToast, clock: systemClock, play: playSound },
      nameOf: (clientId) => named(clientId),
      nameOfRoom: (room) => roomNamed(room),
      open: (path) => open(path),
      keepReply: (conversation, text) => {
        if (isEmptyDraft(drafts.of(conversation))) drafts.change(conversation, { text });
      },
      onMissed: (from) => onMissed(from),
    });
    return () => service.close();
  }, [warren, drafts, notifier]);
  return null;
}

/** Suggests notifications once, to a person who has just missed something. */
function useSuggestion(): (from: string) => void {
  const t = useT();
  const { notifier, storage } = usePlatform();
  const nameOf = useNameOf();
  const switchOn = useSwitchNotifications();
  return (from) => {
    if (notifier.access() !== "default" || storage.read(suggestedKey) !== null) return;
    storage.write(suggestedKey, "true");
    toast.info(t("notification.suggestion", { name: firstNameOf(nameOf(from)) }), {
      id: suggestedKey,
      description: t("notification.suggestionLine"),
      durationMs: suggestionMs,
      action: { label: t("notification.turnOn"), onClick: () => void switchOn(true) },
    });
  };
}

/** Shows the number of unread messages on the icon of the installed app. */
function useAppBadge(): void {
  const unread = useUnread();
  useEffect(() => {
    // Missing in some browsers, whatever the types say. Where the app is not installed, they refuse.
    const { setAppBadge, clearAppBadge }: Partial<Navigator> = navigator;
    const change = unread > 0 ? setAppBadge?.call(navigator, unread) : clearAppBadge?.call(navigator);
    change?.catch(() => {});
  }, [unread]);
}
