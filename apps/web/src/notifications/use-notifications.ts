import { useSyncExternalStore } from "react";
import type { NotificationAccess } from "../platform/notifier.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { useWarren } from "../wiring/warren-context.ts";

/** Whether this browser lets Warren show notifications. */
export function useNotificationAccess(): NotificationAccess {
  const { notifier } = usePlatform();
  return useSyncExternalStore(notifier.onAccessChange, notifier.access);
}

/** Switches notifications on or off, in response to a press: only then the browser is asked. @returns what it allows. */
export function useSwitchNotifications(): (isOn: boolean) => Promise<NotificationAccess> {
  const { notifier } = usePlatform();
  const { settings } = useWarren();
  return async (isOn) => {
    const access = isOn ? await notifier.request() : notifier.access();
    settings.set("notifications", isOn && access === "granted");
    return access;
  };
}
